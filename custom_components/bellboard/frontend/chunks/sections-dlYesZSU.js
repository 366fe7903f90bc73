import{B as x,g as _,G as $,r as O,c as n,a as o,d as p,h as y,o as j,b as k,l as z,K as S,p as N,t as P,I as q,k as B,j as D}from"./app-Dj53roUT.js";var M=Object.defineProperty,C=Object.getOwnPropertyDescriptor,v=(e,t,s,r)=>{for(var a=r>1?void 0:r?C(t,s):t,i=e.length-1,d;i>=0;i--)(d=e[i])&&(a=(r?d(t,s,a):d(a))||a);return r&&a&&M(t,s,a),a};let f=class extends x{constructor(){super(...arguments),this.calls=[],this.open=new Set}render(){return n`<ol class="list">
      ${this.calls.map((e,t)=>n`<li data-test="model-call">${this.call(e,t)}</li>`)}
    </ol>`}call(e,t){const{t:s,format:r,label:a}=this.ctx,i=e.prompt_tokens?e.cached_tokens/e.prompt_tokens:0;return n`<div class="row">
        <b>${a("purpose",e.purpose)}</b>
        <span class="muted wrap">${e.provider} · ${e.model}</span>
        <span class="numeric">${r.duration(e.ms)}</span>
        ${e.error?p(a("model_error",e.error),"error"):o}
      </div>
      <p class="small muted">
        ${s("models.tokens",{prompt:r.number(e.prompt_tokens),cached:r.percent(i),answer:r.number(e.completion_tokens)})}
        ${e.temperature===null?o:n`· ${s("models.temperature",{value:r.number(e.temperature,2)})}`}
        ${e.tools.length?n`· ${s("label.tools")}: ${e.tools.join(", ")}`:o}
      </p>
      <details
        data-test="prompts"
        @toggle=${d=>this.toggle(t,d.target.open)}
      >
        <summary>${s("models.show")}</summary>
        ${this.open.has(t)?this.texts(e):o}
      </details>`}texts(e){const{t,label:s}=this.ctx;return n`
      ${e.messages.map(r=>this.text(s("message_role",r.role),r.content))}
      ${e.schema?this.text(t("models.schema"),JSON.stringify(e.schema,null,2)):o}
      ${this.text(t("models.answer"),e.answer||(e.error?s("model_error",e.error):""))}
    `}text(e,t){return n`<div class="head">
        <h4>${e}</h4>
        <bb-copy .ctx=${this.ctx} .text=${t}></bb-copy>
      </div>
      <pre tabindex="0" role="region" aria-label=${e}>${t}</pre>`}toggle(e,t){const s=new Set(this.open);t?s.add(e):s.delete(e),this.open=s}};f.styles=[...x.styles,_`
      .head {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 8px;
        margin-block-start: 8px;
      }
    `];v([$({attribute:!1})],f.prototype,"calls",2);v([O()],f.prototype,"open",2);f=v([y("bb-prompts")],f);function E(e,t,s,r){const a=s.filter(l=>l.is_routed).map(l=>l.id);return[...new Set([e.agent_id,...Object.keys(e.scores),...t,...a])].map(l=>{const m=l===e.agent_id,g=e.scores[l]??(m?e.confidence:null),c=m?null:A(l,g,e,t);return{id:l,name:r(l),is_chosen:m,score:g,loss:c}}).sort((l,m)=>Number(m.is_chosen)-Number(l.is_chosen)||(m.score??-1)-(l.score??-1)||l.name.localeCompare(m.name))}function A(e,t,s,r){return t!==null?"lower":r.includes(e)?Object.keys(s.scores).length?"no_words":"not_asked":"out_of_scope"}function G(e,t,s){let r=0;const a=e.map(i=>{const d=Math.min(r,i.ms);r=Math.max(r,i.ms);const l=i.payload.agent_id;return{kind:"stage",name:i.stage,of:typeof l=="string"?l:"",level:i.level,note:I(i),from:d,to:i.ms}});for(const i of t)a.push({kind:"model",name:i.purpose,of:i.model,level:i.error?"error":"info",note:i.error?"error":null,from:i.at_ms,to:i.at_ms+(i.ms??Math.max(s-i.at_ms,0))});return a.sort((i,d)=>i.from-d.from||i.to-d.to)}function I(e){return e.level==="info"?null:e.level==="warn"&&e.stage==="policy_check"?"policy":e.level}function J(e,t){return Math.max(t,...e.map(s=>s.to),1)}const L={action:["verb","state","move","amount","attribute"],value:["number","unit","range","level","half","factor","color","kelvin","option","to","by"],thing:["kind","name","name_word","mood","other"],place:["place","here","everywhere"],scope:["quantity","pronoun","except","running"],joining:["and","or"],asking:["asking","measure","correcting"],filler:["article","link","filler"]},F=["action","value","thing","place","scope","joining","asking","filler","unknown"];function K(e){return Object.entries(L).find(([,s])=>s.includes(e))?.[0]??"filler"}function R(e){return e.map(t=>{const[s,...r]=t.senses;return s?{text:t.text,group:K(s.role),role:s.role,value:s.value,others:r}:{text:t.text,group:t.is_mark?"mark":"unknown",role:"",value:"",others:[]}})}var T=Object.defineProperty,U=Object.getOwnPropertyDescriptor,h=(e,t,s,r)=>{for(var a=r>1?void 0:r?U(t,s):t,i=e.length-1,d;i>=0;i--)(d=e[i])&&(a=(r?d(t,s,a):d(a))||a);return r&&a&&T(t,s,a),a};const H=new Set(["no_answer","partly","unavailable"]);let u=class extends x{constructor(){super(...arguments),this.ms=0,this.reading=null,this.reading_error=null,this.agents=[],this.trial=!1,this.has_words=!0}render(){const{detail:e}=this;return n`<div class="stack">
      ${this.waterfall()}${this.words()}${this.recognised()}${this.guards()}
      ${e.parts.map((t,s)=>this.candidatesOf(t,s))} ${this.asked()}
      ${this.modelCalls(e.models)} ${e.plans.map(t=>this.plan(t))}
      ${this.policies(e.policies)} ${this.states(e.states)}
      ${this.nextSteps(e.next_steps)} ${this.workflow()}
    </div>`}waterfall(){const{t:e,format:t,label:s}=this.ctx,r=G(this.detail.stages,this.detail.models,this.ms);if(!r.length)return o;const a=J(r,this.ms),i=l=>`${(l/a*100).toFixed(3)}%`,d=r.some(l=>l.kind==="model");return n`<section class="card" data-test="section-stages">
      <h3>${e("stages.title")}</h3>
      <ol class="waterfall">
        ${r.map(l=>n`<li>
            <span>
              ${l.kind==="model"?s("purpose",l.name):s("stage",l.name)}
              ${l.of?n`<span class="small muted wrap">${l.kind==="stage"?this.agentName(l.of):l.of}</span>`:o}
              ${l.note?n`<span class="small">(${s("level",l.note)})</span>`:o}
            </span>
            <span class="track" aria-hidden="true">
              <span
                class="piece ${l.kind} ${l.level}"
                style=${j({insetInlineStart:i(Math.min(l.from,a*.995)),inlineSize:i(l.to-l.from)})}
              ></span>
            </span>
            <span class="numeric small">${t.duration(l.to-l.from)}</span>
          </li>`)}
      </ol>
      ${d?n`<p class="small muted" style="margin-block-start:8px">
            <span class="key"></span>${e("stages.key_stage")} ·
            <span class="key model"></span>${e("stages.key_model")}
          </p>`:o}
    </section>`}words(){const{t:e,label:t}=this.ctx,s=R(this.reading?.spans??[]),r=new Set(s.map(a=>a.group));return n`<section class="card" data-test="section-words">
      <h3>${e("words.title")}</h3>
      ${this.reading_error?k(this.reading_error,"error"):o}
      ${this.has_words?this.reading?n`
              ${this.trial?o:n`<p class="small muted">${e("words.now")}</p>`}
              ${s.length?n`<ul class="words" style="margin-block-start:8px">
                      ${s.map(a=>this.word(a))}
                    </ul>
                    <ul class="legend small" aria-label=${e("words.legend")}>
                      ${F.filter(a=>r.has(a)).map(a=>n`<li class=${a}>
                          <i aria-hidden="true"></i>${t("word_group",a)}
                        </li>`)}
                    </ul>`:n`<p class="muted">${e("words.none")}</p>`}
            `:this.reading_error?o:z(e("status.loading")):n`<p class="muted">${e("words.hidden")}</p>`}
    </section>`}word(e){const{label:t,t:s}=this.ctx;if(e.group==="mark")return n`<li class="word mark"><b>${e.text}</b></li>`;const r=e.role?t("role",e.role):s("words.unknown"),a=e.others.map(d=>`${t("role",d.role)} ${d.value}`.trim()),i=e.value&&e.value!==e.text?e.value:"";return n`<li
      class="word ${e.group}"
      data-test="word"
      title=${a.length?s("words.or",{others:a.join(", ")}):o}
    >
      <b>${e.text}</b>
      <span class="small">${r}</span>
      ${i?n`<span class="small muted">${i}</span>`:o}
    </li>`}recognised(){const{t:e}=this.ctx;if(!this.reading)return o;const t=this.reading.recognized;return n`<section class="card" data-test="section-recognized">
      <h3>${e("recognized.title")}</h3>
      ${t?n`<dl class="facts">
            <dt>${e("recognized.intent")}</dt>
            <dd><code>${t.intent}</code></dd>
            ${Object.entries(t.slots).map(([s,r])=>n`<dt>${s}</dt>
                <dd>${r}</dd>`)}
            ${t.targets.length?n`<dt>${e("label.devices")}</dt>
                  <dd>${this.names(t.targets)}</dd>`:o}
            ${t.template?n`<dt>${e("recognized.template")}</dt>
                  <dd><code>${t.template}</code></dd>`:o}
          </dl>`:n`<p class="muted">${e("recognized.none")}</p>`}
    </section>`}guards(){const{t:e,label:t}=this.ctx;return this.reading?.guards.length?n`<section class="card" data-test="section-guards">
      <h3>${e("guards.title")}</h3>
      <p class="muted small">${e("guards.about")}</p>
      <ul class="stack tight">
        ${this.reading.guards.map(s=>n`<li>
            ${p(t("guard",s.reason),"warning")} ${this.ctx.t("label.quoted",{text:s.words})}
          </li>`)}
      </ul>
    </section>`:o}candidatesOf(e,t){const{t:s,format:r,label:a}=this.ctx,i=this.detail.parts.length>1,{threshold:d}=this.detail,l=e.measure!=="none",m=e.confidence>=d,g=E(e,this.detail.eligible,this.agents,c=>this.agentName(c));return n`<section class="card" data-test="section-candidates">
      <h3>
        ${i?s("candidates.title_part",{number:t+1}):s("candidates.title")}
      </h3>
      ${i?n`<p class="wrap">${this.ctx.t("label.quoted",{text:e.instruction})}</p>`:o}
      <p class="row" style="margin-block:4px 12px">
        ${p(a("source",e.source),"info")}
        <span>
          ${s(m?"candidates.sure":"candidates.unsure",{confidence:r.score(e.confidence),threshold:r.score(d)})}
        </span>
        ${l?n`<span class="small muted">${a("measure",e.measure)}</span>`:o}
        ${Object.entries(e.confidences??{}).filter(([c])=>c!==e.measure).map(([c,b])=>n`<span class="small muted">
                <span class="numeric">${r.score(b)}</span> ${a("measure",c)}
              </span>`)}
      </p>
      <ul>
        ${g.filter(c=>c.score!==null).map(c=>n`<li class=${S({candidate:!0,chosen:c.is_chosen})}>
            <span class="name wrap">${c.name}</span>
            ${N(c.score??0,c.is_chosen?d:void 0)}
            <span class="numeric small">${r.score(c.score??0)}</span>
            <span class="why small muted">
              ${s(c.is_chosen?"candidates.chosen":"loss.lower")}
            </span>
          </li>`)}
        ${["no_words","not_asked","out_of_scope"].map(c=>{const b=g.filter(w=>w.loss===c).map(w=>w.name);return b.length?n`<li class="candidate">
                <span class="wrap why">
                  ${r.list(b)}:
                  <span class="muted">
                    ${s(`loss.${c}`,{source:a("source",e.source)})}
                  </span>
                </span>
              </li>`:o})}
      </ul>
      <dl class="facts" style="margin-block-start:12px">
        ${e.reason?n`<dt>${s("label.reason")}</dt>
              <dd>${e.reason}</dd>`:o}
        ${e.decline?n`<dt>${s("candidates.declined")}</dt>
              <dd><code>${e.decline}</code></dd>`:o}
        ${e.intent?n`<dt>${s("recognized.intent")}</dt>
              <dd>
                <code>${e.intent.name}</code>
                ${e.intent.is_ambiguous?p(s("candidates.ambiguous"),"warning"):o}
                ${this.values(e.intent.slots)}
                ${e.intent.targets.length?n`<div>${this.names(e.intent.targets)}</div>`:o}
              </dd>`:o}
      </dl>
    </section>`}asked(){const{t:e,format:t,label:s}=this.ctx,r=this.detail.agents_asked;return r.length?n`<section class="card" data-test="section-asked">
      <h3>${e("asked.title")}</h3>
      <ul class="stack tight">
        ${r.map(a=>n`<li class="row">
            <b>${this.agentName(a.id)}</b>
            ${p(s("source",a.source),"info")}
            ${a.success===void 0?o:p(e(a.success?"asked.success":"asked.failure"),a.success?"success":"error")}
            <span class="numeric small muted">
              ${a.ms===void 0?o:t.duration(a.ms)}
            </span>
          </li>`)}
      </ul>
    </section>`:o}modelCalls(e){const{t}=this.ctx;return n`<section class="card" data-test="section-models">
      <h3>${t("models.title")}</h3>
      ${e.length?n`<bb-prompts .ctx=${this.ctx} .calls=${e}></bb-prompts>`:n`<p class="muted">${t("models.none")}</p>`}
    </section>`}plan(e){const{t,label:s}=this.ctx,r=e.calls.flatMap(a=>a.outcomes.filter(i=>i.error&&H.has(i.error)));return n`<section class="card" data-test="section-plan">
      <h3>${t("plan.title",{agent:this.agentName(e.agent_id)})}</h3>
      <div class="stack tight">
        ${e.actions.length?n`<ul class="stack tight">
              ${e.actions.map(a=>n`<li>
                  <code>${a.name}</code> ${this.names(a.targets)}
                  ${this.values(a.parameters)}
                </li>`)}
            </ul>`:o}
        ${e.steps.length?n`<p class="row">
              <span class="small muted">${t("plan.steps")}</span>
              ${e.steps.map(a=>p(`${s("step",a.type)}: ${s("step_status",a.status)}`,P(a.status)))}
            </p>`:o}
        ${e.question?n`<p><span class="muted">${t("plan.question")}</span> ${e.question}</p>`:o}
        ${r.length?k(t("plan.silent",{devices:this.ctx.format.list(r.map(a=>this.name(a.entity_id)))}),"warning"):o}
        ${e.to_confirm.map(a=>this.verdict(a))}
        ${e.dry_run_calls.length?n`<h4>${t("plan.would")}</h4>
              <ul class="stack tight">
                ${e.dry_run_calls.map(a=>n`<li>${this.call(a)}</li>`)}
              </ul>`:o}
        ${e.calls.length?n`<h4>${t("plan.calls")}</h4>
              <ul class="list">
                ${e.calls.map(a=>n`<li data-test="call">
                    ${this.call(a)}
                    ${a.note?n`<p class="small muted">${a.note}</p>`:o}
                    <ul>
                      ${a.outcomes.map(i=>n`<li class="row" data-test="outcome">
                          <span>${this.name(i.entity_id)}</span>
                          ${i.error?p(s("outcome",i.error),"error"):p(t("plan.done"),"success")}
                          ${i.detail?n`<span class="small">${i.detail}</span>`:o}
                        </li>`)}
                    </ul>
                  </li>`)}
              </ul>`:o}
      </div>
    </section>`}call(e){const{entity_id:t,...s}=e.data,r=Array.isArray(t)?t.map(String):[];return n`<div>
      <code>${e.action}</code>
      ${r.length?n` → ${this.names(r)}`:o} ${this.values(s)}
      ${e.assumed?p(this.ctx.t("plan.assumed"),"warning"):o}
    </div>`}policies(e){return e.length?n`<section class="card" data-test="section-policies">
      <h3>${this.ctx.t("policies.decisions")}</h3>
      <div class="stack tight">${e.map(t=>this.verdict(t))}</div>
    </section>`:o}verdict(e){const{t,label:s}=this.ctx;return n`<div>
      <div class="row">
        ${p(s("effect",e.effect),q(e.effect))}
        ${e.rule?n`<span>${e.rule}</span>`:o}
        ${e.needs_code?p(t("policies.needs_code"),"warning"):o}
      </div>
      ${this.call(e)}
      ${e.reason?n`<p class="small muted">${e.reason}</p>`:o}
    </div>`}states(e){const{t,format:s}=this.ctx;return e.length?n`<section class="card" data-test="section-states">
      <h3>${t("states.title")}</h3>
      <div class="scroll" tabindex="0" role="region" aria-label=${t("states.title")}>
        <table>
          <thead>
            <tr>
              <th scope="col">${t("label.device")}</th>
              <th scope="col">${t("states.what")}</th>
              <th scope="col">${t("states.before")}</th>
              <th scope="col">${t("states.after")}</th>
            </tr>
          </thead>
          <tbody>
            ${e.map(r=>{const a=Object.entries(r.attributes);return n`<tr>
                  <th scope="row" rowspan=${a.length+1} title=${r.entity_id}>
                    ${r.name}
                  </th>
                  <td>${t("states.state")}</td>
                  <td>${r.before}</td>
                  <td>${r.after??"–"}</td>
                </tr>
                ${a.map(([i,[d,l]])=>n`<tr>
                    <td><code>${i}</code></td>
                    <td>${s.value(d)}</td>
                    <td>${s.value(l)}</td>
                  </tr>`)}`})}
          </tbody>
        </table>
      </div>
    </section>`:o}nextSteps(e){const{t,format:s}=this.ctx;return e.length?n`<section class="card" data-test="section-next">
      <h3>${t("next.title")}</h3>
      <ol class="list">
        ${e.map(r=>n`<li>
            <div class="row">
              <b>${r.agent_id?this.agentName(r.agent_id):t("next.complete")}</b>
              ${p(r.router,"info")}
              ${r.confidence===null||r.confidence===void 0?o:n`<span class="numeric small">${s.score(r.confidence)}</span>`}
            </div>
            ${r.instruction?n`<p>${this.ctx.t("label.quoted",{text:r.instruction})}</p>`:o}
            ${r.reasoning?n`<p class="small muted">${r.reasoning}</p>`:o}
          </li>`)}
      </ol>
    </section>`:o}workflow(){const{workflow:e}=this.detail;return Object.keys(e).length?n`<section class="card" data-test="section-workflow">
      <details>
        <summary>${this.ctx.t("next.workflow")}</summary>
        <pre tabindex="0">${JSON.stringify(e,null,2)}</pre>
      </details>
    </section>`:o}agentName(e){return B(this.ctx,e)}name(e){return D(this.ctx,e)}names(e){return n`${e.map((t,s)=>n`${s?", ":o}<span title=${t}>${this.name(t)}</span>`)}`}values(e){const t=Object.entries(e);return t.length?n`<span class="small">
      ${t.map(([s,r],a)=>n`${a?", ":"("}<code>${s}</code>: ${this.ctx.format.value(r)}`)})
    </span>`:o}};u.styles=[...x.styles,_`
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
