import{B as g,g as _,G as w,c as o,a as c,J as x,h as k,L as O,b as j,e as y,l as C,d as m,C as M,k as z,p as L}from"./app-Dj53roUT.js";function P(e){if(!(e>0))return 1;const t=10**Math.floor(Math.log10(e));return([1,2,5,10].find(r=>r*t>=e*(1-1e-9))??10)*t}function B(e,t,s){const r=P(Math.max(0,...e.map(([,h])=>h))),a=e.map(([h])=>h),n=Math.min(...a),i=Math.max(...a)-n;return{points:e.map(([h,p])=>({x:i?(h-n)/i*t:t/2,y:s-p/r*s})),top:r}}function D(e){const t=Math.max(1,...Object.values(e));return Object.entries(e).map(([s,r])=>({name:s,value:r,share:r/t})).sort((s,r)=>r.value-s.value||s.name.localeCompare(r.name))}var E=Object.defineProperty,I=Object.getOwnPropertyDescriptor,v=(e,t,s,r)=>{for(var a=r>1?void 0:r?I(t,s):t,n=e.length-1,i;n>=0;n--)(i=e[n])&&(a=(r?i(t,s,a):i(a))||a);return r&&a&&E(t,s,a),a};const b=320,f=80;let d=class extends g{constructor(){super(...arguments),this.values=[],this.name=""}render(){const{t:e,format:t}=this.ctx,{values:s}=this,r=s[0],a=s.at(-1);if(!r||!a)return o`<p class="small muted">${e("health.no_times")}</p>`;const{points:n,top:i}=B(s,b,f),l=e("health.chart",{model:this.name,count:t.number(s.length),top:t.duration(Math.max(...s.map(([,p])=>p)))}),h=n.map(({x:p,y:u})=>`${p.toFixed(1)},${u.toFixed(1)}`).join(" ");return o`<div class="small muted">${t.duration(i)}</div>
      <svg
        viewBox="0 0 ${b} ${f}"
        preserveAspectRatio="none"
        role="img"
        aria-label=${l}
        data-test="chart"
      >
        ${[0,.5,1].map(p=>x`<line class="grid" x1="0" x2=${b} y1=${p*f} y2=${p*f}></line>`)}
        <polyline class="line" points=${h}></polyline>
        ${n.length<=40?n.map(({x:p,y:u})=>x`<line class="dot" x1=${p} x2=${p} y1=${u} y2=${u}></line>`):c}
      </svg>
      <div class="axis small muted numeric">
        <span>${t.time(r[0])}</span><span>${t.time(a[0])}</span>
      </div>`}};d.styles=[...g.styles,_`
      svg {
        display: block;
        inline-size: 100%;
        block-size: 80px;
        overflow: visible;
      }
      .line {
        fill: none;
        stroke: var(--bb-accent);
        stroke-width: 1.5;
        stroke-linejoin: round;
        vector-effect: non-scaling-stroke;
      }
      .dot {
        stroke: var(--bb-accent);
        stroke-width: 5;
        stroke-linecap: round;
        vector-effect: non-scaling-stroke;
      }
      .grid {
        stroke: var(--bb-line);
        vector-effect: non-scaling-stroke;
      }
      .axis {
        display: flex;
        justify-content: space-between;
        gap: 8px;
      }
    `];v([w({attribute:!1})],d.prototype,"values",2);v([w()],d.prototype,"name",2);d=v([k("bb-latency")],d);var H=Object.getOwnPropertyDescriptor,A=(e,t,s,r)=>{for(var a=r>1?void 0:r?H(t,s):t,n=e.length-1,i;n>=0;n--)(i=e[n])&&(a=i(a)||a);return a};const T=1e4;let $=class extends g{constructor(){super(...arguments),this.health=new O(this),this.timer=0,this.seen=()=>{document.visibilityState==="visible"&&this.refresh()}}connectedCallback(){super.connectedCallback(),this.refresh(),this.timer=window.setInterval(()=>{document.visibilityState==="visible"&&this.refresh()},T),document.addEventListener("visibilitychange",this.seen)}disconnectedCallback(){super.disconnectedCallback(),window.clearInterval(this.timer),document.removeEventListener("visibilitychange",this.seen)}refresh(){this.health.load(()=>this.ctx.api.health())}render(){const{t:e}=this.ctx,t=this.health.data;return o`<div class="stack">
      ${this.health.error?j(this.health.error,"error"):c}
      ${t?t.length?t.map(s=>this.connection(s)):o`<div class="card">${y(e("health.empty"))}</div>`:this.health.error?c:C(e("status.loading"))}
    </div>`}connection(e){const{t,format:s,label:r}=this.ctx,{breaker:a,unavailable_since:n}=e;return o`<section class="card stack" data-test="connection">
      <div class="row spread">
        <h3>
          ${e.title}
          ${e.provider==="none"?c:o`<span class="muted small">${e.provider}</span>`}
        </h3>
        <span class="row">
          ${n?m(t("health.away",{when:s.time(n)}),"error"):e.has_model?m(t("health.there"),"success"):c}
          ${a?m(`${t("health.breaker")}: ${r("breaker",a)}`,a==="closed"?"neutral":a==="open"?"error":"warning"):c}
          ${e.waiting?m(t("health.waiting",{count:s.number(e.waiting)}),"warning"):c}
        </span>
      </div>
      ${e.assistants.map(i=>this.assistant(i))}
      ${e.assistants.length?c:y(t("health.no_assistant"))}
    </section>`}assistant(e){const{t,format:s,label:r}=this.ctx,{routing:a}=e,n=Object.entries(e.roles).filter(([,l])=>l),i=e.models.flatMap(l=>l.cost??[]);return o`<article class="stack" data-test="health-assistant">
      <h3>${e.title}</h3>
      <dl class="figures">
        ${this.figure(t("health.decisions"),s.number(a.decisions))}
        ${this.figure(t("health.routing"),`${s.duration(a.latency_p50)} / ${s.duration(a.latency_p95)}`)}
        ${this.figure(t("health.confidence"),a.mean_confidence===null?"–":s.score(a.mean_confidence))}
        ${this.figure(t("health.fallbacks"),s.number(a.fallbacks))}
        ${this.figure(t("health.conversations"),s.number(e.conversations))}
        ${this.figure(t("health.store"),r("store",e.store))}
        ${this.figure(t("health.learned"),s.number(e.learned))}
        ${this.figure(t("health.dropped"),s.number(e.events_dropped))}
        ${i.length?this.figure(t("label.cost"),M(this.ctx,i.reduce((l,h)=>l+h))):c}
        ${n.length?this.figure(t("compare.contract"),r("contract",e.contract)):c}
        ${n.map(([l,h])=>this.figure(r("model_role",l),h??"–"))}
      </dl>
      ${e.models.length?o`<div class="models">
            ${e.models.map(l=>this.model(l))}
          </div>`:o`<p class="muted">${t("health.no_model")}</p>`}
      ${a.decisions?o`<div class="counts">
            ${this.counts(t("health.by_source"),a.by_source,l=>r("source",l))}
            ${this.counts(t("health.by_agent"),a.by_agent,l=>z(this.ctx,l))}
          </div>`:c}
    </article>`}figure(e,t){return o`<div>
      <dt>${e}</dt>
      <dd>${t}</dd>
    </div>`}model(e){const{t,format:s,label:r}=this.ctx,a=Object.entries(e.errors),n=e.prompt_tokens?e.cached_tokens/e.prompt_tokens:0;return o`<figure class="stack tight" data-test="model">
      <figcaption>
        <b class="wrap">${e.model}</b> <span class="muted small">${e.provider}</span>
      </figcaption>
      <p class="row small">
        <span>${t("turns.model_calls",{count:s.number(e.calls)})}</span>
        <span>
          ${t("health.times",{median:s.duration(e.median_ms),p95:s.duration(e.p95_ms)})}
        </span>
      </p>
      <bb-latency .ctx=${this.ctx} .values=${e.latencies} .name=${e.model}></bb-latency>
      <p class="small muted">
        ${t("models.tokens",{prompt:s.number(e.prompt_tokens),cached:s.percent(n),answer:s.number(e.completion_tokens)})}
      </p>
      ${a.length?o`<p class="row">
            ${a.map(([i,l])=>m(`${r("model_error",i)}: ${s.number(l)}`,"error"))}
          </p>`:c}
    </figure>`}counts(e,t,s){return o`<section>
      <h4>${e}</h4>
      <ul class="stack tight">
        ${D(t).map(r=>o`<li>
            <span class="wrap">${s(r.name)}</span>
            ${L(r.share)}
            <span class="numeric small">${this.ctx.format.number(r.value)}</span>
          </li>`)}
      </ul>
    </section>`}};$.styles=[...g.styles,_`
      .models {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 360px), 1fr));
        gap: 24px;
        align-items: start;
      }
      .counts {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr));
        gap: 24px;
      }
      .counts li {
        display: grid;
        grid-template-columns: minmax(96px, 40%) minmax(0, 1fr) 48px;
        gap: 12px;
        align-items: center;
      }
      .counts .numeric {
        text-align: end;
      }
      .figures {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(120px, 1fr));
        gap: 12px;
      }
      .figures dt {
        color: var(--bb-muted);
        font-size: var(--ha-font-size-s, 12px);
      }
      .figures dd {
        font-size: var(--ha-font-size-l, 16px);
        overflow-wrap: anywhere;
      }
      h4 {
        margin-block-end: 8px;
      }
    `];$=A([k("bb-health")],$);export{$ as BbHealth};
