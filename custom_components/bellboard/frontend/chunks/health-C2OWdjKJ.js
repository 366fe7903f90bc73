import{B as g,g as _,F as w,c as o,a as p,I as x,h as k,L as O,b as j,e as y,l as C,d as m,C as M,k as z,p as I}from"./app-zxNXZWCY.js";function L(e){if(!(e>0))return 1;const t=10**Math.floor(Math.log10(e));return([1,2,5,10].find(n=>n*t>=e*(1-1e-9))??10)*t}function P(e,t,s){const n=L(Math.max(0,...e.map(([,c])=>c))),a=e.map(([c])=>c),r=Math.min(...a),i=Math.max(...a)-r;return{points:e.map(([c,h])=>({x:i?(c-r)/i*t:t/2,y:s-h/n*s})),top:n}}function B(e){const t=Math.max(1,...Object.values(e));return Object.entries(e).map(([s,n])=>({name:s,value:n,share:n/t})).sort((s,n)=>n.value-s.value||s.name.localeCompare(n.name))}var D=Object.defineProperty,E=Object.getOwnPropertyDescriptor,v=(e,t,s,n)=>{for(var a=n>1?void 0:n?E(t,s):t,r=e.length-1,i;r>=0;r--)(i=e[r])&&(a=(n?i(t,s,a):i(a))||a);return n&&a&&D(t,s,a),a};const b=320,f=80;let d=class extends g{constructor(){super(...arguments),this.values=[],this.name=""}render(){const{t:e,format:t}=this.ctx,{values:s}=this,n=s[0],a=s.at(-1);if(!n||!a)return o`<p class="small muted">${e("health.no_times")}</p>`;const{points:r,top:i}=P(s,b,f),l=e("health.chart",{model:this.name,count:t.number(s.length),top:t.duration(Math.max(...s.map(([,h])=>h)))}),c=r.map(({x:h,y:u})=>`${h.toFixed(1)},${u.toFixed(1)}`).join(" ");return o`<div class="small muted">${t.duration(i)}</div>
      <svg
        viewBox="0 0 ${b} ${f}"
        preserveAspectRatio="none"
        role="img"
        aria-label=${l}
        data-test="chart"
      >
        ${[0,.5,1].map(h=>x`<line class="grid" x1="0" x2=${b} y1=${h*f} y2=${h*f}></line>`)}
        <polyline class="line" points=${c}></polyline>
        ${r.length<=40?r.map(({x:h,y:u})=>x`<line class="dot" x1=${h} x2=${h} y1=${u} y2=${u}></line>`):p}
      </svg>
      <div class="axis small muted numeric">
        <span>${t.time(n[0])}</span><span>${t.time(a[0])}</span>
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
    `];v([w({attribute:!1})],d.prototype,"values",2);v([w()],d.prototype,"name",2);d=v([k("bb-latency")],d);var H=Object.getOwnPropertyDescriptor,A=(e,t,s,n)=>{for(var a=n>1?void 0:n?H(t,s):t,r=e.length-1,i;r>=0;r--)(i=e[r])&&(a=i(a)||a);return a};const F=1e4;let $=class extends g{constructor(){super(...arguments),this.health=new O(this),this.timer=0,this.seen=()=>{document.visibilityState==="visible"&&this.refresh()}}connectedCallback(){super.connectedCallback(),this.refresh(),this.timer=window.setInterval(()=>{document.visibilityState==="visible"&&this.refresh()},F),document.addEventListener("visibilitychange",this.seen)}disconnectedCallback(){super.disconnectedCallback(),window.clearInterval(this.timer),document.removeEventListener("visibilitychange",this.seen)}refresh(){this.health.load(()=>this.ctx.api.health())}render(){const{t:e}=this.ctx,t=this.health.data;return o`<div class="stack">
      ${this.health.error?j(this.health.error,"error"):p}
      ${t?t.length?t.map(s=>this.connection(s)):o`<div class="card">${y(e("health.empty"))}</div>`:this.health.error?p:C(e("status.loading"))}
    </div>`}connection(e){const{t,format:s,label:n}=this.ctx,{breaker:a,unavailable_since:r}=e;return o`<section class="card stack" data-test="connection">
      <div class="row spread">
        <h3>${e.title} <span class="muted small">${e.provider}</span></h3>
        <span class="row">
          ${r?m(t("health.away",{when:s.time(r)}),"error"):e.has_model?m(t("health.there"),"success"):p}
          ${a?m(`${t("health.breaker")}: ${n("breaker",a)}`,a==="closed"?"neutral":a==="open"?"error":"warning"):p}
          ${e.waiting?m(t("health.waiting",{count:s.number(e.waiting)}),"warning"):p}
        </span>
      </div>
      ${e.assistants.map(i=>this.assistant(i))}
      ${e.assistants.length?p:y(t("health.no_assistant"))}
    </section>`}assistant(e){const{t,format:s,label:n}=this.ctx,{routing:a}=e,r=Object.entries(e.roles).filter(([,l])=>l),i=e.models.flatMap(l=>l.cost??[]);return o`<article class="stack" data-test="health-assistant">
      <h3>${e.title}</h3>
      <dl class="figures">
        ${this.figure(t("health.decisions"),s.number(a.decisions))}
        ${this.figure(t("health.routing"),`${s.duration(a.latency_p50)} / ${s.duration(a.latency_p95)}`)}
        ${this.figure(t("health.confidence"),a.mean_confidence===null?"–":s.score(a.mean_confidence))}
        ${this.figure(t("health.fallbacks"),s.number(a.fallbacks))}
        ${this.figure(t("health.conversations"),s.number(e.conversations))}
        ${this.figure(t("health.store"),n("store",e.store))}
        ${this.figure(t("health.learned"),s.number(e.learned))}
        ${this.figure(t("health.dropped"),s.number(e.events_dropped))}
        ${i.length?this.figure(t("label.cost"),M(this.ctx,i.reduce((l,c)=>l+c))):p}
        ${r.length?this.figure(t("compare.contract"),n("contract",e.contract)):p}
        ${r.map(([l,c])=>this.figure(n("model_role",l),c??"–"))}
      </dl>
      ${e.models.length?o`<div class="models">
            ${e.models.map(l=>this.model(l))}
          </div>`:o`<p class="muted">${t("health.no_model")}</p>`}
      ${a.decisions?o`<div class="counts">
            ${this.counts(t("health.by_source"),a.by_source,l=>n("source",l))}
            ${this.counts(t("health.by_agent"),a.by_agent,l=>z(this.ctx,l))}
          </div>`:p}
    </article>`}figure(e,t){return o`<div>
      <dt>${e}</dt>
      <dd>${t}</dd>
    </div>`}model(e){const{t,format:s,label:n}=this.ctx,a=Object.entries(e.errors),r=e.prompt_tokens?e.cached_tokens/e.prompt_tokens:0;return o`<figure class="stack tight" data-test="model">
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
        ${t("models.tokens",{prompt:s.number(e.prompt_tokens),cached:s.percent(r),answer:s.number(e.completion_tokens)})}
      </p>
      ${a.length?o`<p class="row">
            ${a.map(([i,l])=>m(`${n("model_error",i)}: ${s.number(l)}`,"error"))}
          </p>`:p}
    </figure>`}counts(e,t,s){return o`<section>
      <h4>${e}</h4>
      <ul class="stack tight">
        ${B(t).map(n=>o`<li>
            <span class="wrap">${s(n.name)}</span>
            ${I(n.share)}
            <span class="numeric small">${this.ctx.format.number(n.value)}</span>
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
