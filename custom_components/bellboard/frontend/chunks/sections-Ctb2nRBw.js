import{B as b,f as k,E as $,r as O,c as a,a as o,d as p,g as y,o as j,b as _,l as z,G as S,m as N,t as P,C as q,h as M}from"./app-CwFkqF70.js";var B=Object.defineProperty,C=Object.getOwnPropertyDescriptor,w=(t,e,s,r)=>{for(var n=r>1?void 0:r?C(e,s):e,i=t.length-1,d;i>=0;i--)(d=t[i])&&(n=(r?d(e,s,n):d(n))||n);return r&&n&&B(e,s,n),n};let f=class extends b{constructor(){super(...arguments),this.calls=[],this.open=new Set}render(){return a`<ol class="list">
      ${this.calls.map((t,e)=>a`<li data-test="model-call">${this.call(t,e)}</li>`)}
    </ol>`}call(t,e){const{t:s,format:r,label:n}=this.ctx,i=t.prompt_tokens?t.cached_tokens/t.prompt_tokens:0;return a`<div class="row">
        <b>${n("purpose",t.purpose)}</b>
        <span class="muted wrap">${t.provider} · ${t.model}</span>
        <span class="numeric">${r.duration(t.ms)}</span>
        ${t.error?p(t.error,"error"):o}
      </div>
      <p class="small muted">
        ${s("models.tokens",{prompt:r.number(t.prompt_tokens),cached:r.percent(i),answer:r.number(t.completion_tokens)})}
        ${t.temperature===null?o:a`· ${s("models.temperature",{value:r.number(t.temperature,2)})}`}
        ${t.tools.length?a`· ${s("label.tools")}: ${t.tools.join(", ")}`:o}
      </p>
      <details
        data-test="prompts"
        @toggle=${d=>this.toggle(e,d.target.open)}
      >
        <summary>${s("models.show")}</summary>
        ${this.open.has(e)?this.texts(t):o}
      </details>`}texts(t){const{t:e,label:s}=this.ctx;return a`
      ${t.messages.map(r=>this.text(s("message_role",r.role),r.content))}
      ${t.schema?this.text(e("models.schema"),JSON.stringify(t.schema,null,2)):o}
      ${this.text(e("models.answer"),t.answer||t.error||"")}
    `}text(t,e){return a`<div class="head">
        <h4>${t}</h4>
        <bb-copy .ctx=${this.ctx} .text=${e}></bb-copy>
      </div>
      <pre tabindex="0" role="region" aria-label=${t}>${e}</pre>`}toggle(t,e){const s=new Set(this.open);e?s.add(t):s.delete(t),this.open=s}};f.styles=[...b.styles,k`
      .head {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 8px;
        margin-block-start: 8px;
      }
    `];w([$({attribute:!1})],f.prototype,"calls",2);w([O()],f.prototype,"open",2);f=w([y("bb-prompts")],f);function D(t,e,s){const r=new Map(s.map(l=>[l.id,l.name])),n=s.filter(l=>l.is_routed).map(l=>l.id);return[...new Set([t.agent_id,...Object.keys(t.scores),...e,...n])].map(l=>{const m=l===t.agent_id,g=t.scores[l]??(m?t.confidence:null),c=m?null:E(l,g,t,e);return{id:l,name:r.get(l)??l,is_chosen:m,score:g,loss:c}}).sort((l,m)=>Number(m.is_chosen)-Number(l.is_chosen)||(m.score??-1)-(l.score??-1)||l.name.localeCompare(m.name))}function E(t,e,s,r){return e!==null?"lower":r.includes(t)?Object.keys(s.scores).length?"no_words":"not_asked":"out_of_scope"}function A(t,e,s){let r=0;const n=t.map(i=>{const d=Math.min(r,i.ms);r=Math.max(r,i.ms);const l=i.payload.agent_id;return{kind:"stage",name:i.stage,of:typeof l=="string"?l:"",level:i.level,note:G(i),from:d,to:i.ms}});for(const i of e)n.push({kind:"model",name:i.purpose,of:i.model,level:i.error?"error":"info",note:i.error?"error":null,from:i.at_ms,to:i.at_ms+(i.ms??Math.max(s-i.at_ms,0))});return n.sort((i,d)=>i.from-d.from||i.to-d.to)}function G(t){return t.level==="info"?null:t.level==="warn"&&t.stage==="policy_check"?"policy":t.level}function I(t,e){return Math.max(e,...t.map(s=>s.to),1)}const J={action:["verb","state","move","amount","attribute"],value:["number","unit","range","level","half","factor","color","kelvin","option","to","by"],thing:["kind","name","name_word","mood","other"],place:["place","here","everywhere"],scope:["quantity","pronoun","except","running"],joining:["and","or"],asking:["asking","measure","correcting"],filler:["article","link","filler"]},L=["action","value","thing","place","scope","joining","asking","filler","unknown"];function F(t){return Object.entries(J).find(([,s])=>s.includes(t))?.[0]??"filler"}function R(t){return t.map(e=>{const[s,...r]=e.senses;return s?{text:e.text,group:F(s.role),role:s.role,value:s.value,others:r}:{text:e.text,group:e.is_mark?"mark":"unknown",role:"",value:"",others:[]}})}var T=Object.defineProperty,U=Object.getOwnPropertyDescriptor,h=(t,e,s,r)=>{for(var n=r>1?void 0:r?U(e,s):e,i=t.length-1,d;i>=0;i--)(d=t[i])&&(n=(r?d(e,s,n):d(n))||n);return r&&n&&T(e,s,n),n};const H=new Set(["no_answer","partly","unavailable"]);let u=class extends b{constructor(){super(...arguments),this.ms=0,this.reading=null,this.reading_error=null,this.agents=[],this.trial=!1,this.has_words=!0}render(){const{detail:t}=this;return a`<div class="stack">
      ${this.waterfall()}${this.words()}${this.recognised()}${this.guards()}
      ${t.parts.map((e,s)=>this.candidatesOf(e,s))} ${this.asked()}
      ${this.modelCalls(t.models)} ${t.plans.map(e=>this.plan(e))}
      ${this.policies(t.policies)} ${this.states(t.states)}
      ${this.nextSteps(t.next_steps)} ${this.workflow()}
    </div>`}waterfall(){const{t,format:e,label:s}=this.ctx,r=A(this.detail.stages,this.detail.models,this.ms);if(!r.length)return o;const n=I(r,this.ms),i=l=>`${(l/n*100).toFixed(3)}%`,d=r.some(l=>l.kind==="model");return a`<section class="card" data-test="section-stages">
      <h3>${t("stages.title")}</h3>
      <ol class="waterfall">
        ${r.map(l=>a`<li>
            <span>
              ${l.kind==="model"?s("purpose",l.name):s("stage",l.name)}
              ${l.of?a`<span class="small muted wrap">${l.of}</span>`:o}
              ${l.note?a`<span class="small">(${s("level",l.note)})</span>`:o}
            </span>
            <span class="track" aria-hidden="true">
              <span
                class="piece ${l.kind} ${l.level}"
                style=${j({insetInlineStart:i(Math.min(l.from,n*.995)),inlineSize:i(l.to-l.from)})}
              ></span>
            </span>
            <span class="numeric small">${e.duration(l.to-l.from)}</span>
          </li>`)}
      </ol>
      ${d?a`<p class="small muted" style="margin-block-start:8px">
            <span class="key"></span>${t("stages.key_stage")} ·
            <span class="key model"></span>${t("stages.key_model")}
          </p>`:o}
    </section>`}words(){const{t,label:e}=this.ctx,s=R(this.reading?.spans??[]),r=new Set(s.map(n=>n.group));return a`<section class="card" data-test="section-words">
      <h3>${t("words.title")}</h3>
      ${this.reading_error?_(this.reading_error,"error"):o}
      ${this.has_words?this.reading?a`
              ${this.trial?o:a`<p class="small muted">${t("words.now")}</p>`}
              ${s.length?a`<ul class="words" style="margin-block-start:8px">
                      ${s.map(n=>this.word(n))}
                    </ul>
                    <ul class="legend small" aria-label=${t("words.legend")}>
                      ${L.filter(n=>r.has(n)).map(n=>a`<li class=${n}>
                          <i aria-hidden="true"></i>${e("word_group",n)}
                        </li>`)}
                    </ul>`:a`<p class="muted">${t("words.none")}</p>`}
            `:this.reading_error?o:z(t("status.loading")):a`<p class="muted">${t("words.hidden")}</p>`}
    </section>`}word(t){const{label:e,t:s}=this.ctx;if(t.group==="mark")return a`<li class="word mark"><b>${t.text}</b></li>`;const r=t.role?e("role",t.role):s("words.unknown"),n=t.others.map(d=>`${e("role",d.role)} ${d.value}`.trim()),i=t.value&&t.value!==t.text?t.value:"";return a`<li
      class="word ${t.group}"
      data-test="word"
      title=${n.length?s("words.or",{others:n.join(", ")}):o}
    >
      <b>${t.text}</b>
      <span class="small">${r}</span>
      ${i?a`<span class="small muted">${i}</span>`:o}
    </li>`}recognised(){const{t}=this.ctx;if(!this.reading)return o;const e=this.reading.recognized;return a`<section class="card" data-test="section-recognized">
      <h3>${t("recognized.title")}</h3>
      ${e?a`<dl class="facts">
            <dt>${t("recognized.intent")}</dt>
            <dd><code>${e.intent}</code></dd>
            ${Object.entries(e.slots).map(([s,r])=>a`<dt>${s}</dt>
                <dd>${r}</dd>`)}
            ${e.targets.length?a`<dt>${t("label.devices")}</dt>
                  <dd>${this.names(e.targets)}</dd>`:o}
            ${e.template?a`<dt>${t("recognized.template")}</dt>
                  <dd><code>${e.template}</code></dd>`:o}
          </dl>`:a`<p class="muted">${t("recognized.none")}</p>`}
    </section>`}guards(){const{t,label:e}=this.ctx;return this.reading?.guards.length?a`<section class="card" data-test="section-guards">
      <h3>${t("guards.title")}</h3>
      <p class="muted small">${t("guards.about")}</p>
      <ul class="stack tight">
        ${this.reading.guards.map(s=>a`<li>
            ${p(e("guard",s.reason),"warning")} ${this.ctx.t("label.quoted",{text:s.words})}
          </li>`)}
      </ul>
    </section>`:o}candidatesOf(t,e){const{t:s,format:r,label:n}=this.ctx,i=this.detail.parts.length>1,{threshold:d}=this.detail,l=t.measure!=="none",m=t.confidence>=d,g=D(t,this.detail.eligible,this.agents);return a`<section class="card" data-test="section-candidates">
      <h3>
        ${i?s("candidates.title_part",{number:e+1}):s("candidates.title")}
      </h3>
      ${i?a`<p class="wrap">${this.ctx.t("label.quoted",{text:t.instruction})}</p>`:o}
      <p class="row" style="margin-block:4px 12px">
        ${p(n("source",t.source),"info")}
        <span>
          ${s(m?"candidates.sure":"candidates.unsure",{confidence:r.score(t.confidence),threshold:r.score(d)})}
        </span>
        ${l?a`<span class="small muted">${n("measure",t.measure)}</span>`:o}
      </p>
      <ul>
        ${g.filter(c=>c.score!==null).map(c=>a`<li class=${S({candidate:!0,chosen:c.is_chosen})}>
            <span class="name wrap">${c.name}</span>
            ${N(c.score??0,c.is_chosen?d:void 0)}
            <span class="numeric small">${r.score(c.score??0)}</span>
            <span class="why small muted">
              ${s(c.is_chosen?"candidates.chosen":"loss.lower")}
            </span>
          </li>`)}
        ${["no_words","not_asked","out_of_scope"].map(c=>{const v=g.filter(x=>x.loss===c).map(x=>x.name);return v.length?a`<li class="candidate">
                <span class="wrap why">
                  ${r.list(v)}:
                  <span class="muted">
                    ${s(`loss.${c}`,{source:n("source",t.source)})}
                  </span>
                </span>
              </li>`:o})}
      </ul>
      <dl class="facts" style="margin-block-start:12px">
        ${t.reason?a`<dt>${s("label.reason")}</dt>
              <dd>${t.reason}</dd>`:o}
        ${t.decline?a`<dt>${s("candidates.declined")}</dt>
              <dd><code>${t.decline}</code></dd>`:o}
        ${t.intent?a`<dt>${s("recognized.intent")}</dt>
              <dd>
                <code>${t.intent.name}</code>
                ${t.intent.is_ambiguous?p(s("candidates.ambiguous"),"warning"):o}
                ${this.values(t.intent.slots)}
                ${t.intent.targets.length?a`<div>${this.names(t.intent.targets)}</div>`:o}
              </dd>`:o}
      </dl>
    </section>`}asked(){const{t,format:e,label:s}=this.ctx,r=this.detail.agents_asked;return r.length?a`<section class="card" data-test="section-asked">
      <h3>${t("asked.title")}</h3>
      <ul class="stack tight">
        ${r.map(n=>a`<li class="row">
            <b>${this.agentName(n.id)}</b>
            ${p(s("source",n.source),"info")}
            ${n.success===void 0?o:p(t(n.success?"asked.success":"asked.failure"),n.success?"success":"error")}
            <span class="numeric small muted">
              ${n.ms===void 0?o:e.duration(n.ms)}
            </span>
          </li>`)}
      </ul>
    </section>`:o}modelCalls(t){const{t:e}=this.ctx;return a`<section class="card" data-test="section-models">
      <h3>${e("models.title")}</h3>
      ${t.length?a`<bb-prompts .ctx=${this.ctx} .calls=${t}></bb-prompts>`:a`<p class="muted">${e("models.none")}</p>`}
    </section>`}plan(t){const{t:e,label:s}=this.ctx,r=t.calls.flatMap(n=>n.outcomes.filter(i=>i.error&&H.has(i.error)));return a`<section class="card" data-test="section-plan">
      <h3>${e("plan.title",{agent:this.agentName(t.agent_id)})}</h3>
      <div class="stack tight">
        ${t.actions.length?a`<ul class="stack tight">
              ${t.actions.map(n=>a`<li>
                  <code>${n.name}</code> ${this.names(n.targets)}
                  ${this.values(n.parameters)}
                </li>`)}
            </ul>`:o}
        ${t.steps.length?a`<p class="row">
              <span class="small muted">${e("plan.steps")}</span>
              ${t.steps.map(n=>p(`${s("step",n.type)}: ${s("step_status",n.status)}`,P(n.status)))}
            </p>`:o}
        ${t.question?a`<p><span class="muted">${e("plan.question")}</span> ${t.question}</p>`:o}
        ${r.length?_(e("plan.silent",{devices:this.ctx.format.list(r.map(n=>this.name(n.entity_id)))}),"warning"):o}
        ${t.to_confirm.map(n=>this.verdict(n))}
        ${t.dry_run_calls.length?a`<h4>${e("plan.would")}</h4>
              <ul class="stack tight">
                ${t.dry_run_calls.map(n=>a`<li>${this.call(n)}</li>`)}
              </ul>`:o}
        ${t.calls.length?a`<h4>${e("plan.calls")}</h4>
              <ul class="list">
                ${t.calls.map(n=>a`<li data-test="call">
                    ${this.call(n)}
                    ${n.note?a`<p class="small muted">${n.note}</p>`:o}
                    <ul>
                      ${n.outcomes.map(i=>a`<li class="row" data-test="outcome">
                          <span>${this.name(i.entity_id)}</span>
                          ${i.error?p(s("outcome",i.error),"error"):p(e("plan.done"),"success")}
                          ${i.detail?a`<span class="small">${i.detail}</span>`:o}
                        </li>`)}
                    </ul>
                  </li>`)}
              </ul>`:o}
      </div>
    </section>`}call(t){const{entity_id:e,...s}=t.data,r=Array.isArray(e)?e.map(String):[];return a`<div>
      <code>${t.action}</code>
      ${r.length?a` → ${this.names(r)}`:o} ${this.values(s)}
      ${t.assumed?p(this.ctx.t("plan.assumed"),"warning"):o}
    </div>`}policies(t){return t.length?a`<section class="card" data-test="section-policies">
      <h3>${this.ctx.t("policies.decisions")}</h3>
      <div class="stack tight">${t.map(e=>this.verdict(e))}</div>
    </section>`:o}verdict(t){const{t:e,label:s}=this.ctx;return a`<div>
      <div class="row">
        ${p(s("effect",t.effect),q(t.effect))}
        ${t.rule?a`<span>${t.rule}</span>`:o}
        ${t.needs_code?p(e("policies.needs_code"),"warning"):o}
      </div>
      ${this.call(t)}
      ${t.reason?a`<p class="small muted">${t.reason}</p>`:o}
    </div>`}states(t){const{t:e,format:s}=this.ctx;return t.length?a`<section class="card" data-test="section-states">
      <h3>${e("states.title")}</h3>
      <div class="scroll" tabindex="0" role="region" aria-label=${e("states.title")}>
        <table>
          <thead>
            <tr>
              <th scope="col">${e("label.device")}</th>
              <th scope="col">${e("states.what")}</th>
              <th scope="col">${e("states.before")}</th>
              <th scope="col">${e("states.after")}</th>
            </tr>
          </thead>
          <tbody>
            ${t.map(r=>{const n=Object.entries(r.attributes);return a`<tr>
                  <th scope="row" rowspan=${n.length+1} title=${r.entity_id}>
                    ${r.name}
                  </th>
                  <td>${e("states.state")}</td>
                  <td>${r.before}</td>
                  <td>${r.after??"–"}</td>
                </tr>
                ${n.map(([i,[d,l]])=>a`<tr>
                    <td><code>${i}</code></td>
                    <td>${s.value(d)}</td>
                    <td>${s.value(l)}</td>
                  </tr>`)}`})}
          </tbody>
        </table>
      </div>
    </section>`:o}nextSteps(t){const{t:e,format:s}=this.ctx;return t.length?a`<section class="card" data-test="section-next">
      <h3>${e("next.title")}</h3>
      <ol class="list">
        ${t.map(r=>a`<li>
            <div class="row">
              <b>${r.agent_id?this.agentName(r.agent_id):e("next.complete")}</b>
              ${p(r.router,"info")}
              ${r.confidence===null||r.confidence===void 0?o:a`<span class="numeric small">${s.score(r.confidence)}</span>`}
            </div>
            ${r.instruction?a`<p>${this.ctx.t("label.quoted",{text:r.instruction})}</p>`:o}
            ${r.reasoning?a`<p class="small muted">${r.reasoning}</p>`:o}
          </li>`)}
      </ol>
    </section>`:o}workflow(){const{workflow:t}=this.detail;return Object.keys(t).length?a`<section class="card" data-test="section-workflow">
      <details>
        <summary>${this.ctx.t("next.workflow")}</summary>
        <pre tabindex="0">${JSON.stringify(t,null,2)}</pre>
      </details>
    </section>`:o}agentName(t){return this.agents.find(e=>e.id===t)?.name??t}name(t){return M(this.ctx,t)}names(t){return a`${t.map((e,s)=>a`${s?", ":o}<span title=${e}>${this.name(e)}</span>`)}`}values(t){const e=Object.entries(t);return e.length?a`<span class="small">
      ${e.map(([s,r],n)=>a`${n?", ":"("}<code>${s}</code>: ${this.ctx.format.value(r)}`)})
    </span>`:o}};u.styles=[...b.styles,k`
      .waterfall {
        display: grid;
        gap: 6px;
      }
      .waterfall > li {
        display: grid;
        grid-template-columns: minmax(120px, 30%) minmax(0, 1fr) 72px;
        gap: 0 12px;
        align-items: center;
      }
      .waterfall .numeric {
        text-align: end;
      }
      @container page (max-width: 600px) {
        .waterfall > li {
          grid-template-columns: minmax(0, 1fr) 64px;
        }
        .waterfall > li > :first-child {
          grid-column: 1 / -1;
        }
      }
      .waterfall .track {
        position: relative;
        block-size: 14px;
        background: color-mix(in srgb, var(--bb-text) 6%, transparent);
        border-radius: 3px;
      }
      .waterfall .piece {
        position: absolute;
        inset-block: 0;
        min-inline-size: 2px;
        border-radius: 3px;
        background: var(--bb-accent);
      }
      .waterfall .piece.model {
        background: var(--bb-warning);
      }
      .waterfall .piece.warn {
        outline: 2px solid var(--bb-warning);
      }
      .waterfall .piece.error {
        background: var(--bb-error);
      }
      .key {
        display: inline-block;
        inline-size: 12px;
        block-size: 12px;
        border-radius: 3px;
        background: var(--bb-accent);
        margin-inline-end: 4px;
        vertical-align: -1px;
      }
      .key.model {
        background: var(--bb-warning);
      }

      .words {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
      }
      .word {
        display: grid;
        align-content: start;
        padding: 4px 8px;
        border-radius: 6px;
        border-block-end: 3px solid var(--tone);
        background: color-mix(in srgb, var(--tone) 14%, transparent);
        max-inline-size: 100%;
        overflow-wrap: anywhere;
      }
      .word b {
        font-weight: 500;
        font-size: var(--ha-font-size-l, 16px);
      }
      .word.mark {
        background: none;
        border-color: transparent;
        padding-inline: 0;
      }
      .word.unknown {
        border-block-end-style: dashed;
      }
      .legend {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 16px;
        margin-block-start: 12px;
      }
      .legend i {
        display: inline-block;
        inline-size: 12px;
        block-size: 12px;
        border-radius: 3px;
        background: var(--tone);
        margin-inline-end: 6px;
        vertical-align: -1px;
      }
      .action {
        --tone: #2e7dd7;
      }
      .value {
        --tone: #c05bd0;
      }
      .thing {
        --tone: #2f9e55;
      }
      .place {
        --tone: #c98a00;
      }
      .scope {
        --tone: #149a9a;
      }
      .joining {
        --tone: #7a6ee0;
      }
      .asking {
        --tone: #d5639b;
      }
      .filler {
        --tone: #8a8a8a;
      }
      .unknown {
        --tone: var(--bb-error);
      }

      .candidate {
        display: grid;
        grid-template-columns: minmax(110px, 30%) minmax(0, 1fr) auto;
        gap: 2px 12px;
        align-items: center;
      }
      .candidate + .candidate {
        margin-block-start: 10px;
      }
      .candidate .why {
        grid-column: 1 / -1;
      }
      .chosen .name {
        font-weight: 500;
      }
    `];h([$({attribute:!1})],u.prototype,"detail",2);h([$({attribute:!1})],u.prototype,"ms",2);h([$({attribute:!1})],u.prototype,"reading",2);h([$({attribute:!1})],u.prototype,"reading_error",2);h([$({attribute:!1})],u.prototype,"agents",2);h([$({type:Boolean})],u.prototype,"trial",2);h([$({type:Boolean})],u.prototype,"has_words",2);u=h([y("bb-detail")],u);
