import{r as h,G as m,h as P,B as A,L as O,w as L,a as c,c as r,b as w,l as z,v as y,k as K,y as q,i as b,M as J,O as U,u as W,m as Z,d as v,t as D,n as G,f as H,C as Y,g as Q}from"./app-Dj53roUT.js";import"./sections-dlYesZSU.js";function V(t,e){const n=({name:s})=>!!e[s]?.trim();return t.any_parameter?t.parameters.some(n):t.parameters.every(s=>s.is_optional||n(s))}function X(t,e){const n={};for(const{name:s,kind:i}of t){const o=e[s]?.trim();o&&(n[s]=tt(i,o))}return n}function tt(t,e){if(t==="number"||t==="step")return Number(e);if(t==="color"){const n=e.split(/[\s,;]+/).map(Number);if(n.length===3&&n.every(s=>s>=0&&s<=255))return n}return e}var et=Object.defineProperty,st=Object.getOwnPropertyDescriptor,p=(t,e,n,s)=>{for(var i=s>1?void 0:s?st(e,n):e,o=t.length-1,a;o>=0;o--)(a=t[o])&&(i=(s?a(e,n,i):a(i))||i);return s&&i&&et(e,n,i),i};const nt=["learn","alias","case","mark"];let d=class extends A{constructor(){super(...arguments),this.open=!1,this.is_nothing=!1,this.targets=[],this.action="",this.agent="",this.texts={},this.keep="learn",this.alias="",this.isForAll=!1,this.error=null,this.isSending=!1,this.choices=new O(this),this.send=async()=>{this.isSending=!0,this.error=null;try{this.ctx.notify(await this.kept()),this.dispatchEvent(new CustomEvent("corrected")),this.close(),this.reset()}catch(t){this.error=L(t)}finally{this.isSending=!1}},this.close=()=>{const t=this.renderRoot.querySelector("bb-dialog");t&&(t.open=!1)}}willUpdate(t){!t.has("open")||!this.open||(this.error=null,this.choices.data||this.choices.load(()=>this.ctx.api.choices(this.turn.assistant)))}render(){const{t}=this.ctx;return r`<bb-dialog
      .open=${this.open}
      .heading=${t("correct.title")}
      .closing=${t("action.close")}
      @closed=${()=>this.dispatchEvent(new CustomEvent("closed"))}
    >
      ${this.open?this.content():c}
      <button
        slot="actions"
        class="button"
        type="button"
        data-test="correct-cancel"
        @click=${this.close}
      >
        ${t("action.cancel")}
      </button>
      <button
        slot="actions"
        class="button primary"
        type="button"
        data-test="correct-send"
        ?disabled=${this.isSending||!this.isReady()}
        @click=${this.send}
      >
        ${t("correct.send")}
      </button>
    </bb-dialog>`}content(){const{t}=this.ctx,e=this.choices.data;return r`<div class="stack" data-test="correct">
      <p class="wrap">${this.ctx.t("label.quoted",{text:this.turn.utterance})}</p>
      ${this.error?w(this.error,"error"):c}
      ${this.choices.error?w(this.choices.error,"error"):c}
      <fieldset class="stack tight">
        <legend>${t("correct.meant")}</legend>
        ${this.radio("meant","something",!this.is_nothing,t("correct.something"),()=>{this.is_nothing=!1})}
        ${this.radio("meant","nothing",this.is_nothing,t("correct.nothing"),()=>{this.is_nothing=!0,(this.keep==="learn"||this.keep==="alias")&&(this.keep="case")})}
      </fieldset>
      ${this.is_nothing?c:e?this.meaning(e):this.choices.error?c:z(t("status.loading"))}
      <fieldset class="stack tight">
        <legend>${t("correct.keep")}</legend>
        ${nt.map(n=>this.radio("keep",n,this.keep===n,r`${t(`keep.${n}`)}
              <span class="small muted" style="display:block">${t(`keep.${n}_about`)}</span>`,()=>this.keep=n,this.is_nothing&&(n==="learn"||n==="alias")))}
      </fieldset>
      ${this.keep==="learn"&&e?.others?r`<label class="check">
            <input
              type="checkbox"
              .checked=${this.isForAll}
              data-test="correct-for-all"
              @change=${()=>this.isForAll=!this.isForAll}
            />
            <span>${t("correct.for_all")}</span>
          </label>`:c}
      ${this.keep==="alias"?r`<label class="field">
            <span>${t("correct.alias")}</span>
            <input
              type="text"
              maxlength="100"
              .value=${this.alias}
              data-test="correct-alias"
              @input=${n=>this.alias=y(n)}
            />
          </label>`:c}
    </div>`}radio(t,e,n,s,i,o=!1){return r`<label class="check" style=${o?"opacity:.5":c}>
      <input
        type="radio"
        name=${t}
        value=${e}
        .checked=${n}
        ?disabled=${o}
        data-test="correct-${t}-${e}"
        @change=${i}
      />
      <span>${s}</span>
    </label>`}meaning(t){const{t:e,label:n}=this.ctx,s=this.targets[0]?.split(".")[0]??"",i=t.domains[s]?.actions??[],o=i.find(a=>a.name===this.action);return r`
      <bb-devices
        .ctx=${this.ctx}
        .devices=${t.devices}
        .chosen=${this.targets}
        together
        data-test="correct-devices"
        @chosen=${a=>this.aim(a.detail,t)}
      ></bb-devices>
      ${this.keep==="alias"?c:r`<label class="field">
              <span>${e("correct.action")}</span>
              <select
                data-test="correct-action"
                ?disabled=${!i.length}
                @change=${a=>{this.action=y(a),this.texts={}}}
              >
                <option value="" ?selected=${!this.action}>
                  ${i.length?e("correct.choose"):e("correct.devices_first")}
                </option>
                ${i.map(a=>r`<option value=${a.name} ?selected=${a.name===this.action}>
                      ${n("do",a.name)}
                    </option>`)}
              </select>
            </label>
            ${o?.any_parameter?r`<p class="small muted">${e("correct.any_value")}</p>`:c}
            ${o?.parameters.map(a=>this.parameter(a))??c}
            <label class="field">
              <span>${e("label.agent")}</span>
              <select
                data-test="correct-agent"
                @change=${a=>this.agent=y(a)}
              >
                <option value="" ?selected=${!this.agent}>${e("correct.choose")}</option>
                ${t.agents.map(a=>r`<option value=${a.id} ?selected=${a.id===this.agent}>
                      ${K(this.ctx,a.id)}
                    </option>`)}
              </select>
            </label>`}
    `}parameter(t){const{t:e,label:n}=this.ctx,{name:s,kind:i,unit:o,low:a,high:l}=t,g=this.texts[s]??"",I=t.is_optional||this.chosenAction()?.any_parameter,M=`${n("parameter",s)}${o?` (${o})`:""}`,j=k=>this.texts={...this.texts,[s]:y(k)},C=this.optionsOf(t);return r`<label class="field">
      <span>${M}${I?` – ${e("label.optional")}`:c}</span>
      ${C.length?r`<select data-test="correct-value-${s}" @change=${j}>
            <option value="" ?selected=${!g}>${e("correct.choose")}</option>
            ${C.map(k=>r`<option value=${k} ?selected=${k===g}>${k}</option>`)}
          </select>`:i==="number"||i==="step"?r`<input
              type="number"
              step="any"
              min=${i==="number"?a??c:c}
              max=${i==="number"?l??c:c}
              .value=${g}
              data-test="correct-value-${s}"
              @input=${j}
            />`:r`<input
              type="text"
              .value=${g}
              placeholder=${i==="color"?e("correct.color"):""}
              data-test="correct-value-${s}"
              @input=${j}
            />`}
    </label>`}optionsOf(t){if(t.choices.length)return t.choices;if(!t.options)return[];const{states:e}=this.ctx.hass(),n=this.targets.flatMap(s=>e[s]?.attributes[t.options]??[]);return[...new Set(n.map(String))]}aim(t,e){const n=this.targets[0]?.split(".")[0],s=t[0]?.split(".")[0];this.targets=t,s!==n&&(this.action="",this.texts={},this.agent=s&&e.domains[s]?.agent_id||"")}chosenAction(){const t=this.targets[0]?.split(".")[0]??"";return this.choices.data?.domains[t]?.actions.find(e=>e.name===this.action)}meant(){const t=this.chosenAction();return!t||!this.agent||!this.targets.length||!V(t,this.texts)?null:{agent_id:this.agent,action:t.name,targets:this.targets,parameters:X(t.parameters,this.texts)}}isReady(){return this.keep==="mark"?!0:this.keep==="alias"?this.targets.length===1&&!!this.alias.trim():this.is_nothing?this.keep==="case":this.meant()!==null}async kept(){const{api:t,t:e}=this.ctx,{id:n}=this.turn,[s=""]=this.targets,i=this.is_nothing?null:this.meant();switch(this.keep){case"learn":return i&&this.isForAll?e("kept.learn_all",{count:await t.learn(n,i,!0)}):(i&&await t.learn(n,i,!1),e("kept.learn"));case"alias":return await t.addAlias(n,s,this.alias.trim()),e("kept.alias",{alias:this.alias.trim()});case"case":{const{file:o}=await t.addCase(n,i);return e("kept.case",{file:o})}case"mark":return await t.mark(n),e("kept.mark")}}reset(){this.is_nothing=!1,this.targets=[],this.action="",this.agent="",this.texts={},this.keep="learn",this.alias="",this.isForAll=!1}};p([m({attribute:!1})],d.prototype,"turn",2);p([m({type:Boolean})],d.prototype,"open",2);p([h()],d.prototype,"is_nothing",2);p([h()],d.prototype,"targets",2);p([h()],d.prototype,"action",2);p([h()],d.prototype,"agent",2);p([h()],d.prototype,"texts",2);p([h()],d.prototype,"keep",2);p([h()],d.prototype,"alias",2);p([h()],d.prototype,"isForAll",2);p([h()],d.prototype,"error",2);p([h()],d.prototype,"isSending",2);d=p([P("bb-correct")],d);const it="<withheld>",at=new Set(["agent_id","agents","decline","effect","eligible","error","intent_id","language","level","measure","model","provider","purpose","role","router","source","sources","stage","state","status","steps","tool","type"]),ot=new Set(["actions.name","agents_asked.id","intent.name","recognized.intent"]),rt=new Set(["after","attributes","before","data","parameters","persons","slots","workflow"]),ct=new Set(["auto","closed","closing","cool","dry","fan_only","heat","heat_cool","home","idle","locked","not_home","off","on","open","opening","paused","playing","standby","unavailable","unknown","unlocked"]),lt=/^turn-[0-9a-f-]{36}$/,dt=/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/,ht=/^[A-Za-z0-9_.:/+-]{1,128}$/,pt=/^[A-Za-z][A-Za-z0-9_]{0,63}$/,R=/^([a-z_]+)\.([a-z0-9_]+)$/,ut=/^(?:[a-z_]+\.)?<(?:\d+ characters|withheld)>$/,$t=/code|pin$|passw|secret|token$|api_?key|credential/i;function gt(t){return T(t,{name:"",parent:"",is_free:!1})}function T(t,e){if(t==null)return null;if(typeof t=="boolean")return t;if($t.test(e.name))return it;if(typeof t=="number")return t;if(typeof t=="string")return ft(t,e)?t:B(t);if(Array.isArray(t))return t.map(s=>T(s,e));const n=e.is_free||rt.has(e.name);return Object.fromEntries(Object.entries(t).map(([s,i])=>[e.name==="scores"||pt.test(s)?s:B(s),T(i,{name:s,parent:e.name,is_free:n})]))}function ft(t,{name:e,parent:n,is_free:s}){return t===""||ut.test(t)?!0:e==="before"||e==="after"?ct.has(t):s?!1:e==="action"?R.test(t):e==="id"&&lt.test(t)?!0:e==="timestamp"?dt.test(t):(at.has(e)||ot.has(`${n}.${e}`))&&ht.test(t)}function B(t){const[,e,n]=R.exec(t)??[];return e&&n?`${e}.<${n.length} characters>`:`<${t.length} characters>`}function bt(t,e,n){const s=n?t:gt(t);return e==="json"?`${JSON.stringify(s,null,2)}
`:_t(s)}function mt(t,e){return`bellboard-${t.turn.id}.${e==="json"?"json":"md"}`}function _t({turn:t,reading:e}){const n=[`# Turn ${t.id}
`,f(["what","value"],[["said",t.utterance],["replied",t.reply],["state",t.state],["language",t.language],["agents",S(t.agents)],["decided by",S(t.sources)],["corrected",String(t.is_corrected)],["took",`${t.ms} ms`],["model calls",String(t.model_calls)],["prompt tokens",`${t.prompt_tokens}, of these cached ${t.cached_tokens}`],["completion tokens",String(t.completion_tokens)],["tools",`${S(t.tools)} (rounds: ${t.tool_rounds})`],["cost",String(t.cost??"–")],["threshold",String(t.threshold)],["eligible",S(t.eligible)]]),u("Stages",f(["stage","ms","level","payload"],t.stages.map(s=>[s.stage,String(s.ms),s.level,E(s.payload)]))),u("Parts",f(["part","agent","decided by","confidence","intent","scores","reason"],t.parts.map(s=>[s.instruction,s.agent_id,s.source,`${s.confidence} (${s.measure})`,s.intent?.name??"",E(s.scores),s.reason])))];e&&n.push(u("Words, as they are read now",f(["words","role","value"],e.spans.map(s=>[s.text,s.senses[0]?.role??(s.is_mark?"mark":"unknown"),s.senses[0]?.value??""])))),n.push(u("Plans",t.plans.map(s=>`\`\`\`json
${JSON.stringify(s,null,2)}
\`\`\``).join(`

`)),u("Policies",f(["effect","rule","action","reason"],t.policies.map(s=>[s.effect,s.rule??"",s.action,s.reason]))),u("States",f(["entity","before","after","attributes"],t.states.map(s=>[s.entity_id,s.before,s.after??"",E(s.attributes)]))));for(const[s,i]of t.models.entries()){const o=`${i.provider} ${i.model}, ${i.ms??"?"} ms, ${i.prompt_tokens} (cached ${i.cached_tokens}) + ${i.completion_tokens} tokens`,a=i.messages.map(l=>`**${l.role}**

${F(l.content)}`);n.push(u(`Model call ${s+1}: ${i.purpose}`,[o,...a,`**answer**

${F(i.error??i.answer)}`].join(`

`)))}return`${n.filter(Boolean).join(`
`)}
`}function u(t,e){return e?`
## ${t}

${e}`:""}function f(t,e){if(!e.length)return"";const n=s=>`| ${s.map(kt).join(" | ")} |`;return[n(t),n(t.map(()=>"---")),...e.map(n)].join(`
`)}function kt(t){return String(t).replaceAll("|","\\|").replaceAll("<","\\<").replace(/\s*\n\s*/g," ")}function F(t){const e=Math.max(2,...(t.match(/`+/g)??[]).map(s=>s.length)),n="`".repeat(e+1);return`${n}
${t}
${n}`}function S(t){return t.join(", ")}function E(t){const e=JSON.stringify(t);return e==="{}"?"":e}var yt=Object.defineProperty,wt=Object.getOwnPropertyDescriptor,_=(t,e,n,s)=>{for(var i=s>1?void 0:s?wt(e,n):e,o=t.length-1,a;o>=0;o--)(a=t[o])&&(i=(s?a(e,n,i):a(i))||i);return s&&i&&yt(e,n,i),i};let $=class extends A{constructor(){super(...arguments),this.reading=null,this.open=!1,this.kind="markdown",this.with_words=!1}render(){const{t}=this.ctx,e=this.open?this.text():"";return r`<bb-dialog
      .open=${this.open}
      .heading=${t("export.title")}
      .closing=${t("action.close")}
      @closed=${this.closed}
    >
      <div class="stack">
        <p>${t("export.about")}</p>
        <label class="field">
          <span>${t("export.kind")}</span>
          <select
            data-test="export-kind"
            @change=${n=>this.kind=y(n)}
          >
            <option value="markdown" ?selected=${this.kind==="markdown"}>Markdown</option>
            <option value="json" ?selected=${this.kind==="json"}>JSON</option>
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            .checked=${this.with_words}
            ?disabled=${!this.turn.has_words}
            data-test="export-words"
            @change=${n=>this.with_words=q(n)}
          />
          ${t("export.words")}
        </label>
        ${this.with_words?w(t("export.warning"),"warning"):""}
        <pre tabindex="0" role="region" aria-label=${t("export.preview")} data-test="export-text">
${e}</pre
        >
      </div>
      <button
        slot="actions"
        class="button"
        type="button"
        data-test="export-copy"
        @click=${this.copy}
      >
        ${b("copy",18)} ${t("action.copy")}
      </button>
      <button
        slot="actions"
        class="button primary"
        type="button"
        data-test="export-download"
        @click=${()=>this.save()}
      >
        ${b("download",18)} ${t("action.download")}
      </button>
    </bb-dialog>`}text(){return bt({turn:this.turn,reading:this.reading},this.kind,this.with_words)}async copy(t){const e=t.currentTarget.parentElement??document.body,n=await J(this.text(),e);this.ctx.notify(this.ctx.t(n?"action.copied":"action.not_copied"))}save(){const t=this.kind==="json"?"application/json":"text/markdown";U(mt({turn:this.turn,reading:this.reading},this.kind),this.text(),t)}closed(){this.with_words=!1,this.dispatchEvent(new CustomEvent("closed"))}};_([m({attribute:!1})],$.prototype,"turn",2);_([m({attribute:!1})],$.prototype,"reading",2);_([m({type:Boolean})],$.prototype,"open",2);_([h()],$.prototype,"kind",2);_([h()],$.prototype,"with_words",2);$=_([P("bb-export")],$);var xt=Object.defineProperty,vt=Object.getOwnPropertyDescriptor,N=(t,e,n,s)=>{for(var i=s>1?void 0:s?vt(e,n):e,o=t.length-1,a;o>=0;o--)(a=t[o])&&(i=(s?a(e,n,i):a(i))||i);return s&&i&&xt(e,n,i),i};const St=[];let x=class extends A{constructor(){super(...arguments),this.turn_id="",this.dialog=null,this.turn=new O(this),this.reading=new O(this),this.agents=new O(this),this.stopListening=null,this.begun=""}connectedCallback(){super.connectedCallback(),this.stopListening=this.ctx.feed.listen(()=>this.follow())}disconnectedCallback(){super.disconnectedCallback(),this.stopListening?.()}willUpdate(t){t.has("turn_id")&&(this.dialog=null,this.turn.clear(),this.reading.clear(),this.load())}updated(){const t=this.renderRoot.querySelector("#heading");!t||this.begun===this.turn_id||(this.begun=this.turn_id,window.scrollTo({top:0}),t.focus({preventScroll:!0}))}follow(){const t=this.ctx.feed.lines.find(n=>n.id===this.turn_id),e=this.line;this.line=t,e&&t&&e.is_corrected!==t.is_corrected?this.load():this.requestUpdate()}async load(){const{api:t,feed:e}=this.ctx;this.line=e.lines.find(a=>a.id===this.turn_id);const n=await this.turn.load(()=>t.turn(this.turn_id));if(!n||(this.agents.load(()=>t.agents(n.assistant)),!n.has_words||!n.utterance||this.reading.data))return;const{language:s,area_id:i,user_id:o}=n.speaker;this.reading.load(()=>t.read({assistant:n.assistant,text:n.utterance,language:s,area_id:i,user_id:o}))}render(){const{t}=this.ctx,e=this.turn.data;return r`<div class="stack">
      <p>
        <button
          class="button"
          type="button"
          data-test="back"
          @click=${()=>this.ctx.navigate("turns")}
        >
          ${b("back",18)} ${t("turn.back")}
        </button>
      </p>
      ${this.turn.error?w(this.turn.error,"error",r`<button class="button" type="button" @click=${()=>this.load()}>
              ${t("action.again")}
            </button>`):c}
      ${e?r`${this.head(e)}
            <bb-detail
              .ctx=${this.ctx}
              .detail=${e}
              .ms=${e.ms}
              .reading=${this.reading.data??null}
              .reading_error=${this.reading.error}
              .agents=${this.agents.data??St}
              .has_words=${e.has_words}
            ></bb-detail>
            ${this.conversation(e)} ${this.dialogs(e)}`:this.turn.error?c:z(t("status.loading"))}
    </div>`}head(t){const{t:e,format:n,label:s,assistants:i}=this.ctx,o=W(this.ctx,t.user_id),a=t.area??Z(this.ctx,t.speaker.area_id);return r`<section class="card stack" data-test="turn-head">
      <div>
        <h2 id="heading" tabindex="-1" data-test="turn-utterance">
          ${t.utterance||e("turns.no_words")}
        </h2>
        <p class="verbatim" data-test="turn-reply">${t.reply}</p>
      </div>
      <p class="row">
        ${v(s("state",t.state),D(t.state),"turn-state")}
        ${t.sources.map(l=>v(s("source",l),"info"))}
        ${t.is_corrected?v(e("turns.is_corrected"),"warning","turn-corrected"):c}
      </p>
      <dl class="facts">
        <dt>${e("label.when")}</dt>
        <dd>${n.moment(t.at)} · ${n.duration(t.ms)}</dd>
        ${a?r`<dt>${e("label.room")}</dt>
              <dd>${a}</dd>`:c}
        ${o?r`<dt>${e("label.person")}</dt>
              <dd>${o}</dd>`:c}
        <dt>${e("label.language")}</dt>
        <dd>${n.languageName(t.language)}</dd>
        ${i.length>1?r`<dt>${e("label.assistant")}</dt>
              <dd>${G(this.ctx,t.assistant)}</dd>`:c}
        <dt>${e("label.agents")}</dt>
        <dd>${H(this.ctx,t.agents)||"–"}</dd>
        ${this.used(t)}
      </dl>
      ${t.has_words?c:w(e("words.hidden"),"info")}
      <div class="row">
        <button
          class="button primary"
          type="button"
          data-test="wrong"
          @click=${()=>this.dialog="correct"}
        >
          ${b("edit",18)} ${e("turn.wrong")}
        </button>
        <button
          class="button"
          type="button"
          data-test="try-again"
          ?disabled=${!t.has_words}
          @click=${()=>this.tryAgain(t)}
        >
          ${b("play",18)} ${e("turn.try")}
        </button>
        <button
          class="button"
          type="button"
          data-test="export"
          @click=${()=>this.dialog="export"}
        >
          ${b("download",18)} ${e("export.title")}
        </button>
      </div>
    </section>`}used(t){const{t:e,format:n}=this.ctx;if(!t.model_calls)return c;const s=n.number(t.prompt_tokens);return r`${t.tool_rounds?r`<dt>${e("label.tools")}</dt>
            <dd class="wrap" data-test="turn-tools">
              ${t.tools.join(", ")} ·
              ${e("models.rounds",{count:n.number(t.tool_rounds)})}
            </dd>`:c}
      <dt>${e("compare.tokens")}</dt>
      <dd data-test="turn-tokens">${s} + ${n.number(t.completion_tokens)}</dd>
      ${t.cost===null?c:r`<dt>${e("label.cost")}</dt>
            <dd data-test="turn-cost">${Y(this.ctx,t.cost)}</dd>`}`}conversation(t){const{t:e,feed:n,label:s,address:i,format:o}=this.ctx,a=n.lines.filter(l=>l.conversation_id===t.conversation_id&&l.id!==t.id).reverse();return r`<section class="card stack" data-test="section-conversation">
      <h3>${e("conversation.title")}</h3>
      ${t.task?r`<p class="row">
              <span class="muted">${e("conversation.task")}</span>
              ${v(s("state",t.task.state),D(t.task.state))}
              <code class="small">${t.task.id}</code>
            </p>
            <ol class="history stack tight">
              ${t.task.history.map(l=>r`<li class=${l.role==="user"?"user":"other"}>
                  <span class="visually-hidden">
                    ${s("message_role",l.role)}:
                  </span>
                  ${l.content}
                </li>`)}
            </ol>`:r`<p class="muted">${e("conversation.none")}</p>`}
      ${a.length?r`<h4>${e("conversation.others")}</h4>
            <ul class="stack tight">
              ${a.map(l=>r`<li>
                  <a
                    href=${i("turns",l.id)}
                    @click=${g=>{g.preventDefault(),this.ctx.navigate("turns",l.id)}}
                    >${l.utterance}</a
                  >
                  <span class="small muted">${o.time(l.at)}</span>
                </li>`)}
            </ul>`:c}
    </section>`}dialogs(t){const e=()=>this.dialog=null;return r`<bb-correct
        .ctx=${this.ctx}
        .turn=${t}
        .open=${this.dialog==="correct"}
        @closed=${e}
        @corrected=${()=>this.load()}
      ></bb-correct>
      <bb-export
        .ctx=${this.ctx}
        .turn=${t}
        .reading=${this.reading.data??null}
        .open=${this.dialog==="export"}
        @closed=${e}
      ></bb-export>`}tryAgain(t){const{language:e,area_id:n,user_id:s}=t.speaker;this.ctx.choose(t.assistant),this.ctx.memory.draft={text:t.utterance,language:e,area_id:n,user_id:s},this.ctx.navigate("try")}};x.styles=[...A.styles,Q`
      .history li {
        max-inline-size: 85%;
        padding: 6px 12px;
        border-radius: 12px;
        background: var(--bb-field);
        inline-size: fit-content;
        overflow-wrap: anywhere;
      }
      .history .user {
        margin-inline-start: auto;
        background: color-mix(in srgb, var(--bb-accent) 18%, transparent);
      }
    `];N([m()],x.prototype,"turn_id",2);N([h()],x.prototype,"dialog",2);x=N([P("bb-turn")],x);export{x as BbTurn};
