import{A as g,L as f,w as $,a as o,b as d,e as m,c as r,l as y,v as w,i as b,o as x,d as u,f as k,t as _,g as S,r as h,h as O}from"./app-Dj53roUT.js";var R=Object.defineProperty,C=Object.getOwnPropertyDescriptor,p=(t,s,i,a)=>{for(var e=a>1?void 0:a?C(s,i):s,n=t.length-1,c;n>=0;n--)(c=t[n])&&(e=(a?c(s,i,e):c(e))||e);return a&&e&&R(s,i,e),e};const v="bellboard_cases.yaml",E=["worse","better","otherwise","new","gone"];let l=class extends g{constructor(){super(...arguments),this.path=v,this.total=0,this.reports=new Map,this.report=null,this.isRunning=!1,this.wasStopped=!1,this.error=null,this.only_failed=!1,this.cases=new f(this),this.unsubscribe=null,this.run=0,this.start=async()=>{const{api:t,assistant:s}=this.ctx;await this.stop();const i=++this.run;this.total=this.cases.data?.cases.length??0,this.reports=new Map,this.report=null,this.error=null,this.wasStopped=!1,this.isRunning=!0,this.ctx.hass().connection.addEventListener("disconnected",this.lost);try{const a=await t.runEvaluation(s.id,this.path.trim()||v,e=>{i===this.run&&this.take(e)});i===this.run&&this.isRunning?this.unsubscribe=a:await a()}catch(a){if(i!==this.run)return;this.isRunning=!1,this.error=$(a)}},this.halt=()=>{this.wasStopped=!0,this.stop()},this.lost=()=>{this.unsubscribe=null,this.wasStopped=!0,this.error=this.ctx.t("status.disconnected"),this.stop()}}disconnectedCallback(){super.disconnectedCallback(),this.stop()}prepare(){this.stop(),this.reports=new Map,this.report=null,this.wasStopped=!1,this.error=null,this.load()}load(){const{api:t,assistant:s}=this.ctx;this.cases.load(()=>t.evaluation(s.id,this.path.trim()||v))}render(){const{t}=this.ctx,s=this.cases.data;return r`<div class="stack">
      ${this.form(s)}
      ${this.error?d(this.error,"error"):o}
      ${this.cases.error?d(this.cases.error,"error"):o}
      ${this.isRunning||this.wasStopped?this.progress():o}
      ${this.report?this.summary(this.report):o}
      ${s?.error&&s.cases.length===0?r`<div class="card">
            ${m(t("evaluation.empty"))}
            <p class="small muted" style="text-align:center">${s.error}</p>
          </div>`:s?this.list(s):this.cases.error?o:y(t("status.loading"))}
    </div>`}form(t){const{t:s,format:i}=this.ctx,a=!!t?.cases.length;return r`<section class="card stack">
      <p>${s("evaluation.about")}</p>
      <div class="fields">
        <bb-assistant .ctx=${this.ctx}></bb-assistant>
        <label class="field">
          <span>${s("evaluation.file")}</span>
          <input
            type="text"
            .value=${this.path}
            ?disabled=${this.isRunning}
            data-test="evaluation-path"
            @change=${e=>{this.path=w(e),this.prepare()}}
          />
        </label>
      </div>
      <div class="row">
        ${this.isRunning?r`<button
              class="button danger"
              type="button"
              data-test="evaluation-stop"
              @click=${this.halt}
            >
              ${b("stop",18)} ${s("evaluation.stop")}
            </button>`:r`<button
              class="button primary"
              type="button"
              data-test="evaluation-run"
              ?disabled=${!a}
              @click=${this.start}
            >
              ${b("play",18)} ${s("evaluation.run")}
            </button>`}
        ${t?.run_at?r`<span class="small muted">
              ${s("evaluation.last",{when:i.moment(t.run_at)})}
            </span>`:o}
      </div>
    </section>`}progress(){const{t,format:s}=this.ctx,i=this.reports.size,a=this.total?i/this.total:0,e=t(this.wasStopped?"evaluation.stopped":"evaluation.progress",{done:s.number(i),total:s.number(this.total)});return r`<section class="card stack tight">
      <div
        class="progress"
        role="progressbar"
        aria-label=${t("evaluation.run")}
        aria-valuemin="0"
        aria-valuemax=${this.total}
        aria-valuenow=${i}
        aria-valuetext=${e}
        data-test="progress"
      >
        <div style=${x({inlineSize:`${a*100}%`})}></div>
      </div>
      <p class="small">${e}</p>
    </section>`}summary(t){const{t:s,format:i}=this.ctx,{earlier:a}=t,e=a?E.filter(n=>a[n].length):[];return r`<section class="card stack" role="status" data-test="evaluation-report">
      <h3>${s("evaluation.result")}</h3>
      <p class="row">
        ${u(s("evaluation.passed",{count:i.number(t.passed)}),"success")}
        ${u(s("evaluation.failed",{count:i.number(t.failed)}),t.failed?"error":"neutral")}
        ${t.skipped?u(s("evaluation.skipped",{count:i.number(t.skipped)}),"warning"):o}
        <span class="small muted">
          ${s("health.times",{median:i.duration(t.latency.p50_ms),p95:i.duration(t.latency.p95_ms)})}
        </span>
      </p>
      ${a?e.length?r`<dl class="facts">
              ${e.map(n=>r`<dt>${s(`evaluation.${n}`)}</dt>
                  <dd>${a[n].join(", ")}</dd>`)}
            </dl>`:r`<p class="muted">${s("evaluation.unchanged")}</p>`:r`<p class="muted">${s("evaluation.first")}</p>`}
    </section>`}list(t){const{t:s}=this.ctx;if(!t.cases.length)return r`<div class="card">${m(t.error??s("evaluation.empty"))}</div>`;const i=t.cases.filter(a=>!this.only_failed||this.outcomeOf(a)==="failed");return r`<section class="card stack">
      <div class="row spread">
        <h3>${s("evaluation.cases")}</h3>
        <label class="check">
          <input
            type="checkbox"
            .checked=${this.only_failed}
            data-test="evaluation-failed"
            @change=${a=>{this.only_failed=a.target.checked}}
          />
          ${s("evaluation.only_failed")}
        </label>
      </div>
      ${t.error?d(t.error,"error"):o}
      <ul class="list" data-test="cases">
        ${i.map(a=>this.case(a))}
      </ul>
      ${i.length?o:m(s("evaluation.none_failed"))}
    </section>`}outcomeOf(t){return this.reports.get(t.id)?.outcome??t.outcome}case(t){const{t:s,label:i,format:a}=this.ctx,e=this.reports.get(t.id),n=this.outcomeOf(t);return r`<li class="case" data-test="case">
      <span class="wrap">${t.say.join(" → ")}</span>
      <span>
        ${n?u(i("case",n),_(n)):u(s("evaluation.never"))}
      </span>
      <span class="small muted what wrap">
        ${t.id}${t.area?` · ${t.area}`:o}
      </span>
      ${e&&(e.differences.length||e.reason)?r`<details class="what" data-test="differences">
            <summary>${s("evaluation.differences")}</summary>
            <ul class="stack tight">
              ${e.reason?r`<li>${e.reason}</li>`:o}
              ${e.differences.map(c=>r`<li class="wrap">${c}</li>`)}
              ${e.turns.map(c=>r`<li class="small muted wrap">
                  ${this.ctx.t("label.quoted",{text:c.say})} → ${c.reply} (${k(this.ctx,c.agents)},
                  ${a.duration(c.ms)})
                </li>`)}
            </ul>
          </details>`:o}
    </li>`}take(t){"total"in t?this.total=t.total:"case"in t?this.reports=new Map(this.reports).set(t.case.id,t.case):(this.report=t.report,this.stop(),this.load())}async stop(){const{unsubscribe:t}=this;this.ctx.hass().connection.removeEventListener("disconnected",this.lost),this.run++,this.unsubscribe=null,this.isRunning=!1;try{await t?.()}catch(s){this.error=$(s)}}};l.styles=[...g.styles,S`
      .fields {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(220px, 1fr));
        gap: 12px;
        align-items: end;
      }
      .progress {
        block-size: 12px;
        border-radius: 6px;
        background: color-mix(in srgb, var(--bb-text) 10%, transparent);
        overflow: hidden;
      }
      .progress > div {
        block-size: 100%;
        background: var(--bb-accent);
      }
      .case {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 4px 12px;
      }
      .case > .what {
        grid-column: 1 / -1;
      }
      @media (prefers-reduced-motion: no-preference) {
        .progress > div {
          transition: inline-size 150ms;
        }
      }
    `];p([h()],l.prototype,"path",2);p([h()],l.prototype,"total",2);p([h()],l.prototype,"reports",2);p([h()],l.prototype,"report",2);p([h()],l.prototype,"isRunning",2);p([h()],l.prototype,"wasStopped",2);p([h()],l.prototype,"error",2);p([h()],l.prototype,"only_failed",2);l=p([O("bb-evaluation")],l);export{l as BbEvaluation};
