import{p as m,L as u,A as r,a as $,b as a,e as g,l as b,j as o,u as h,x,s as v,y as f,m as y,n as _}from"./app-CaywGAmW.js";var w=Object.getOwnPropertyDescriptor,j=(s,t,d,l)=>{for(var e=l>1?void 0:l?w(t,d):t,n=s.length-1,i;n>=0;n--)(i=s[n])&&(e=i(e)||e);return e};let p=class extends m{constructor(){super(...arguments),this.agents=new u(this)}prepare(){const{api:s,assistant:t}=this.ctx;this.agents.clear(),this.agents.load(()=>s.agents(t.id))}render(){const{t:s}=this.ctx,t=this.agents.data;return a`<div class="stack">
      <bb-assistant .ctx=${this.ctx}></bb-assistant>
      ${this.agents.error?$(this.agents.error,"error"):r}
      ${t?t.length?a`<ul class="agents">
              ${t.map(d=>this.agent(d))}
            </ul>`:a`<div class="card">${g(s("agents.empty"))}</div>`:this.agents.error?r:b(s("status.loading"))}
    </div>`}agent(s){const{t,format:d,label:l}=this.ctx;return a`<li class="card stack tight" data-test="agent">
      <div class="row spread">
        <h3>${s.name}</h3>
        ${o(t(s.is_there?"agents.there":"agents.away"),s.is_there?"success":"neutral")}
      </div>
      <p>${s.description}</p>
      <p class="row small">
        <code>${s.id}</code>
        ${s.is_own?o(t("agents.own"),"info"):r}
        ${s.is_routed?r:o(t("agents.not_routed"))}
      </p>
      <dl class="facts">
        ${s.domains.length?a`<dt>${t("label.devices")}</dt>
              <dd>${d.number(s.devices)} · <code>${s.domains.join(", ")}</code></dd>`:r}
        ${s.areas.length?a`<dt>${t("agents.only_in")}</dt>
              <dd>${s.areas.map(e=>h(this.ctx,e)).join(", ")}</dd>`:r}
        ${s.labels.length?a`<dt>${t("agents.only_labelled")}</dt>
              <dd>${s.labels.join(", ")}</dd>`:r}
        <dt>${t("agents.decisions")}</dt>
        <dd>${d.number(s.decisions)}</dd>
        ${s.success===null?r:a`<dt>${t("agents.success")}</dt>
              <dd>
                ${d.percent(s.success)}
                <div class="success-bar">${x(s.success)}</div>
              </dd>`}
      </dl>
      ${s.examples.length?a`<details>
            <summary>${t("agents.examples")}</summary>
            <ul>
              ${s.examples.map(e=>a`<li>${this.ctx.t("label.quoted",{text:e})}</li>`)}
            </ul>
          </details>`:r}
      ${s.rules.length?a`<h4>${t("agents.rules")}</h4>
            <ul class="rules stack tight">
              ${s.rules.map(e=>a`<li>${this.rule(e,l)}</li>`)}
            </ul>`:r}
    </li>`}rule(s,t){const{t:d,format:l}=this.ctx,e=[],n=(i,c)=>{c?.length&&e.push([t("scope",i),c.join(", ")])};return n("intents",s.intents),n("areas",s.areas?.map(i=>h(this.ctx,i))),n("satellites",s.satellites?.map(i=>v(this.ctx,i))),n("users",s.users?.map(i=>f(this.ctx,i))),(s.after||s.before)&&e.push([t("scope","time"),`${s.after||"00:00"} – ${s.before||"24:00"}`]),s.share!==void 0&&e.push([t("scope","share"),l.percent(s.share/100)]),e.length?a`${e.map(([i,c])=>a`<div><span class="muted">${i}:</span> ${c}</div>`)}`:a`${d("agents.always")}`}};p.styles=[...m.styles,y`
      .agents {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr));
        gap: 16px;
        align-items: start;
      }
      .agents h3 {
        margin: 0;
      }
      .success-bar {
        --tone: var(--bb-success);
      }
      .rules li {
        border-inline-start: 3px solid var(--bb-line);
        padding-inline-start: 8px;
      }
    `];p=j([_("bb-agents")],p);export{p as BbAgents};
