import{A as m,L as $,a as d,b as u,c as a,e as g,l as b,k as x,d as c,m as p,p as v,j as f,u as w,g as y,h as _}from"./app-Dj53roUT.js";var k=Object.getOwnPropertyDescriptor,j=(s,t,r,l)=>{for(var e=l>1?void 0:l?k(t,r):t,n=s.length-1,i;n>=0;n--)(i=s[n])&&(e=i(e)||e);return e};let h=class extends m{constructor(){super(...arguments),this.agents=new $(this)}prepare(){const{api:s,assistant:t}=this.ctx;this.agents.clear(),this.agents.load(()=>s.agents(t.id))}render(){const{t:s}=this.ctx,t=this.agents.data;return a`<div class="stack">
      <bb-assistant .ctx=${this.ctx}></bb-assistant>
      ${this.agents.error?u(this.agents.error,"error"):d}
      ${t?t.length?a`<ul class="agents">
              ${t.map(r=>this.agent(r))}
            </ul>`:a`<div class="card">${g(s("agents.empty"))}</div>`:this.agents.error?d:b(s("status.loading"))}
    </div>`}agent(s){const{t,format:r,label:l}=this.ctx;return a`<li class="card stack tight" data-test="agent">
      <div class="row spread">
        <h3>${x(this.ctx,s.id)}</h3>
        ${c(t(s.is_there?"agents.there":"agents.away"),s.is_there?"success":"neutral")}
      </div>
      <p>${s.description}</p>
      <p class="row small">
        <code>${s.id}</code>
        ${s.is_own?c(t("agents.own"),"info"):d}
        ${s.is_routed?d:c(t("agents.not_routed"))}
      </p>
      <dl class="facts">
        ${s.domains.length?a`<dt>${t("label.devices")}</dt>
              <dd>${r.number(s.devices)} · <code>${s.domains.join(", ")}</code></dd>`:d}
        ${s.areas.length?a`<dt>${t("agents.only_in")}</dt>
              <dd>${s.areas.map(e=>p(this.ctx,e)).join(", ")}</dd>`:d}
        ${s.labels.length?a`<dt>${t("agents.only_labelled")}</dt>
              <dd>${s.labels.join(", ")}</dd>`:d}
        <dt>${t("agents.decisions")}</dt>
        <dd>${r.number(s.decisions)}</dd>
        ${s.worked[1]?a`<dt>${t("agents.success")}</dt>
              <dd>
                ${t("agents.worked",{worked:r.number(s.worked[0]),count:r.number(s.worked[1])})}
                <div class="success-bar">${v(s.worked[0]/s.worked[1])}</div>
              </dd>`:d}
      </dl>
      ${s.examples.length?a`<details>
            <summary>${t("agents.examples")}</summary>
            <ul>
              ${s.examples.map(e=>a`<li>${this.ctx.t("label.quoted",{text:e})}</li>`)}
            </ul>
          </details>`:d}
      ${s.rules.length?a`<h4>${t("agents.rules")}</h4>
            <ul class="rules stack tight">
              ${s.rules.map(e=>a`<li>${this.rule(e,l)}</li>`)}
            </ul>`:d}
    </li>`}rule(s,t){const{t:r,format:l}=this.ctx,e=[],n=(i,o)=>{o?.length&&e.push([t("scope",i),o.join(", ")])};return n("intents",s.intents),n("areas",s.areas?.map(i=>p(this.ctx,i))),n("satellites",s.satellites?.map(i=>f(this.ctx,i))),n("users",s.users?.map(i=>w(this.ctx,i))),(s.after||s.before)&&e.push([t("scope","time"),`${s.after||"00:00"} – ${s.before||"24:00"}`]),s.share!==void 0&&e.push([t("scope","share"),l.percent(s.share/100)]),e.length?a`${e.map(([i,o])=>a`<div><span class="muted">${i}:</span> ${o}</div>`)}`:a`${r("agents.always")}`}};h.styles=[...m.styles,y`
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
    `];h=j([_("bb-agents")],h);export{h as BbAgents};
