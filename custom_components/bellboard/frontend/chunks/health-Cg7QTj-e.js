import{B as b,f as _,D as w,c as l,a as c,E as x,g as k,L as O,b as j,e as y,l as C,d as h,m as M}from"./app-wCh4Z6CL.js";function z(e){if(!(e>0))return 1;const t=10**Math.floor(Math.log10(e));return([1,2,5,10].find(a=>a*t>=e*(1-1e-9))??10)*t}function D(e,t,s){const a=z(Math.max(0,...e.map(([,p])=>p))),n=e.map(([p])=>p),i=Math.min(...n),r=Math.max(...n)-i;return{points:e.map(([p,o])=>({x:r?(p-i)/r*t:t/2,y:s-o/a*s})),top:a}}function E(e){const t=Math.max(1,...Object.values(e));return Object.entries(e).map(([s,a])=>({name:s,value:a,share:a/t})).sort((s,a)=>a.value-s.value||s.name.localeCompare(a.name))}var L=Object.defineProperty,P=Object.getOwnPropertyDescriptor,v=(e,t,s,a)=>{for(var n=a>1?void 0:a?P(t,s):t,i=e.length-1,r;i>=0;i--)(r=e[i])&&(n=(a?r(t,s,n):r(n))||n);return a&&n&&L(t,s,n),n};const g=320,f=80;let m=class extends b{constructor(){super(...arguments),this.values=[],this.name=""}render(){const{t:e,format:t}=this.ctx,{values:s}=this,a=s[0],n=s.at(-1);if(!a||!n)return l`<p class="small muted">${e("health.no_times")}</p>`;const{points:i,top:r}=D(s,g,f),d=e("health.chart",{model:this.name,count:t.number(s.length),top:t.duration(Math.max(...s.map(([,o])=>o)))}),p=i.map(({x:o,y:u})=>`${o.toFixed(1)},${u.toFixed(1)}`).join(" ");return l`<div class="small muted">${t.duration(r)}</div>
      <svg
        viewBox="0 0 ${g} ${f}"
        preserveAspectRatio="none"
        role="img"
        aria-label=${d}
        data-test="chart"
      >
        ${[0,.5,1].map(o=>x`<line class="grid" x1="0" x2=${g} y1=${o*f} y2=${o*f}></line>`)}
        <polyline class="line" points=${p}></polyline>
        ${i.length<=40?i.map(({x:o,y:u})=>x`<line class="dot" x1=${o} x2=${o} y1=${u} y2=${u}></line>`):c}
      </svg>
      <div class="axis small muted numeric">
        <span>${t.time(a[0])}</span><span>${t.time(n[0])}</span>
      </div>`}};m.styles=[...b.styles,_`
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
    `];v([w({attribute:!1})],m.prototype,"values",2);v([w()],m.prototype,"name",2);m=v([k("bb-latency")],m);var B=Object.getOwnPropertyDescriptor,I=(e,t,s,a)=>{for(var n=a>1?void 0:a?B(t,s):t,i=e.length-1,r;i>=0;i--)(r=e[i])&&(n=r(n)||n);return n};const H=1e4;let $=class extends b{constructor(){super(...arguments),this.health=new O(this),this.timer=0,this.seen=()=>{document.visibilityState==="visible"&&this.refresh()}}connectedCallback(){super.connectedCallback(),this.refresh(),this.timer=window.setInterval(()=>{document.visibilityState==="visible"&&this.refresh()},H),document.addEventListener("visibilitychange",this.seen)}disconnectedCallback(){super.disconnectedCallback(),window.clearInterval(this.timer),document.removeEventListener("visibilitychange",this.seen)}refresh(){this.health.load(()=>this.ctx.api.health())}render(){const{t:e}=this.ctx,t=this.health.data;return l`<div class="stack">
      ${this.health.error?j(this.health.error,"error"):c}
      ${t?t.length?t.map(s=>this.connection(s)):l`<div class="card">${y(e("health.empty"))}</div>`:this.health.error?c:C(e("status.loading"))}
    </div>`}connection(e){const{t,format:s,label:a}=this.ctx,{breaker:n,unavailable_since:i}=e;return l`<section class="card stack" data-test="connection">
      <div class="row spread">
        <h3>${e.title} <span class="muted small">${e.provider}</span></h3>
        <span class="row">
          ${i?h(t("health.away",{when:s.time(i)}),"error"):e.has_model?h(t("health.there"),"success"):c}
          ${n?h(`${t("health.breaker")}: ${a("breaker",n)}`,n==="closed"?"neutral":n==="open"?"error":"warning"):c}
          ${e.waiting?h(t("health.waiting",{count:s.number(e.waiting)}),"warning"):c}
        </span>
      </div>
      ${e.assistants.map(r=>this.assistant(r))}
      ${e.assistants.length?c:y(t("health.no_assistant"))}
    </section>`}assistant(e){const{t,format:s,label:a}=this.ctx,{routing:n}=e,i=Object.entries(e.roles).filter(([,r])=>r);return l`<article class="stack" data-test="health-assistant">
      <h3>${e.title}</h3>
      <dl class="figures">
        ${this.figure(t("health.decisions"),s.number(n.decisions))}
        ${this.figure(t("health.routing"),`${s.duration(n.latency_p50)} / ${s.duration(n.latency_p95)}`)}
        ${this.figure(t("health.confidence"),n.mean_confidence===null?"–":s.score(n.mean_confidence))}
        ${this.figure(t("health.fallbacks"),s.number(n.fallbacks))}
        ${this.figure(t("health.conversations"),s.number(e.conversations))}
        ${this.figure(t("health.store"),a("store",e.store))}
        ${this.figure(t("health.learned"),s.number(e.learned))}
        ${this.figure(t("health.dropped"),s.number(e.events_dropped))}
        ${i.length?this.figure(t("compare.contract"),a("contract",e.contract)):c}
        ${i.map(([r,d])=>this.figure(a("model_role",r),d??"–"))}
      </dl>
      ${e.models.length?l`<div class="models">
            ${e.models.map(r=>this.model(r))}
          </div>`:l`<p class="muted">${t("health.no_model")}</p>`}
      ${n.decisions?l`<div class="counts">
            ${this.counts(t("health.by_source"),n.by_source,r=>a("source",r))}
            ${this.counts(t("health.by_agent"),n.by_agent,r=>r)}
          </div>`:c}
    </article>`}figure(e,t){return l`<div>
      <dt>${e}</dt>
      <dd>${t}</dd>
    </div>`}model(e){const{t,format:s}=this.ctx,a=Object.entries(e.errors),n=e.prompt_tokens?e.cached_tokens/e.prompt_tokens:0;return l`<figure class="stack tight" data-test="model">
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
      ${a.length?l`<p class="row">
            ${a.map(([i,r])=>h(`${i}: ${s.number(r)}`,"error"))}
          </p>`:c}
    </figure>`}counts(e,t,s){return l`<section>
      <h4>${e}</h4>
      <ul class="stack tight">
        ${E(t).map(a=>l`<li>
            <span class="wrap">${s(a.name)}</span>
            ${M(a.share)}
            <span class="numeric small">${this.ctx.format.number(a.value)}</span>
          </li>`)}
      </ul>
    </section>`}};$.styles=[...b.styles,_`
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
    `];$=I([k("bb-health")],$);export{$ as BbHealth};
