import{B as w,g as _,G as S,r as u,L as b,b as n,a as c,c as o,v as $,i as k,H as A,h as O,A as C,l as T,e as D,d as v,I as g,F as L}from"./app-Dj53roUT.js";function E(t,e=[]){return Object.entries(t).flatMap(([s,a])=>j(a,[...e,s]))}function j(t,e){return Array.isArray(t)?t.some(y)?t.flatMap((s,a)=>j(s,[...e,...t.length>1?[String(a+1)]:[]])):[{path:e,values:t.map(String)}]:y(t)?E(t,e):[{path:e,values:[String(t)]}]}function y(t){return typeof t=="object"&&t!==null&&!Array.isArray(t)}const N=["doors","warm","evenings","sure"],M={doors:["name: ask_before_doors","match:","  any:","    - action: [lock.unlock, lock.open]","    - action: cover.open_cover","      device_class: [garage, gate, door]","effect: confirm"],warm:["name: warm_enough","match:","  domain: climate","  parameters:","    temperature: {above: 23}","effect: clamp","to:","  temperature: {max: 23}"],evenings:["name: quiet_evenings","match:","  domain: media_player",'  time: {after: "21:00", before: "08:00"}',"effect: clamp","to:","  volume_level: {max: 0.4}"],sure:["name: no_guesses_for_covers","match:","  domain: [cover, valve]","  assumed: true","effect: confirm"]};function q(t,e){return[...M[t],`reason: ${JSON.stringify(e)}`]}function B(t,e){const s=t.trimEnd()?t.trimEnd().split(`
`):[];let a=s.findIndex(d=>/^rules\s*:/.test(d));a<0&&(a=s.push("rules:")-1),s[a]=(s[a]??"").replace(/^rules\s*:\s*(\[\s*\]|null|~)\s*/,"rules: ").trimEnd();let i=s.findIndex((d,p)=>p>a&&/^[^\s#-]/.test(d));for(i<0&&(i=s.length);i>a+1&&/^(#.*)?\s*$/.test(s[i-1]??"");)i--;const r=s.slice(a+1,i).find(d=>/^\s*- /.test(d)),l=r?r.slice(0,r.indexOf("-")):"  ";return s.splice(i,0,...e.map((d,p)=>`${l}${p?"  ":"- "}${d}`)),`${s.join(`
`)}
`}var I=Object.defineProperty,H=Object.getOwnPropertyDescriptor,x=(t,e,s,a)=>{for(var i=a>1?void 0:a?H(e,s):e,r=t.length-1,l;r>=0;r--)(l=t[r])&&(i=(a?l(e,s,i):l(i))||i);return a&&i&&I(e,s,i),i};const J=400,R="policies_changed";let m=class extends w{constructor(){super(...arguments),this.text="",this.isConflict=!1,this.revision=null,this.savedText="",this.timer=0,this.check=new b(this),this.saving=new b(this),this.take=()=>{this.text=this.savedText=this.policies.text??"",this.revision=this.policies.revision,this.isConflict=!1,this.check.clear(),this.saving.clear()},this.save=async()=>{const{text:t,revision:e}=this;if(e===null)return;window.clearTimeout(this.timer);const s=await this.saving.load(()=>this.noting(this.ctx.api.savePolicies(t,e)));s&&(this.savedText=t,this.check.clear(),this.ctx.notify(this.ctx.t("policies.saved")),this.dispatchEvent(new CustomEvent("saved",{detail:s})))},this.discard=()=>{window.clearTimeout(this.timer),this.take()}}connectedCallback(){super.connectedCallback();const t=this.ctx.memory.policies;t&&({text:this.text,revision:this.revision}=t),t&&this.checkSoon()}disconnectedCallback(){super.disconnectedCallback(),window.clearTimeout(this.timer),this.ctx.memory.policies=this.revision!==null&&this.isEdited?{text:this.text,revision:this.revision}:null}willUpdate(t){if(!t.has("policies"))return;const{text:e,revision:s}=this.policies;e===null||s===null||(this.revision===null||!this.isEdited||this.text===e?this.take():this.isConflict=this.revision!==s)}get isEdited(){return this.text!==this.savedText}render(){const{t}=this.ctx;return this.policies.text===null?n(t("policies.unreadable"),"warning"):o`<section class="card stack" data-test="policies-editor">
      <div class="row spread">
        <h3 id="edit">${t("policies.edit")}</h3>
        <bb-copy .ctx=${this.ctx} .text=${this.text}></bb-copy>
      </div>
      <p class="small muted">${t("policies.edit_about")}</p>
      ${this.text.includes("••••")?o`<p class="small muted">${t("policies.codes_hidden")}</p>`:c}
      <textarea
        class="code"
        rows="16"
        spellcheck="false"
        autocapitalize="off"
        aria-labelledby="edit"
        data-test="policies-text"
        .value=${this.text}
        @input=${e=>this.write($(e))}
      ></textarea>
      <div role="status" data-test="policies-check">${this.told()}</div>
      ${this.saving.error&&!this.isConflict?n(this.saving.error,"error"):c}
      <div class="row">
        <button
          class="button primary"
          type="button"
          data-test="policies-save"
          ?disabled=${!this.isEdited||this.isConflict||this.saving.isLoading||!!this.check.data?.error}
          @click=${this.save}
        >
          ${t("policies.save")}
        </button>
        ${this.isEdited||this.isConflict?o`<button class="button" type="button" data-test="policies-discard" @click=${this.discard}>
              ${t(this.isConflict?"policies.take":"policies.discard")}
            </button>`:c}
      </div>
      <details ?open=${!this.policies.exists}>
        <summary>${t("policies.examples")}</summary>
        <div class="examples" style="margin-block-start:12px">
          ${N.map(e=>this.example(e))}
        </div>
      </details>
    </section>`}told(){const{t,format:e}=this.ctx;if(this.isConflict)return n(t("policies.conflict"),"warning");if(!this.isEdited)return c;if(this.check.error)return n(this.check.error,"error");const s=this.check.data;if(!s)return o`<p class="small muted">${t("policies.checking")}</p>`;if(!s.error)return n(t("policies.good",{count:e.number(s.rules.length)}),"success");const a=Number(s.error.line)||1;return n(o`<div data-test="policies-fault">
        <b>${t("policies.line",{line:e.number(a)})}</b> ${s.error.reason??""}
      </div>`,"error",o`<button class="button" type="button" @click=${()=>this.show(a)}>
        ${t("policies.show_line")}
      </button>`)}example(t){const{t:e,label:s}=this.ctx;return o`<div class="example" data-test="policies-example">
      <b>${s("example",t)}</b>
      <button
        class="button"
        type="button"
        data-test="policies-example-${t}"
        @click=${()=>this.add(q(t,s("example_reason",t)))}
      >
        ${k("edit",18)} ${e("policies.use_example")}
      </button>
    </div>`}async add(t){const e=B(this.text,t);this.write(e),await this.updateComplete,this.show(e.split(`
`).findLastIndex(s=>s.endsWith(`- ${t[0]??""}`))+1)}write(t){this.text=t,this.saving.clear(),this.check.clear(),this.checkSoon()}checkSoon(){window.clearTimeout(this.timer),this.timer=window.setTimeout(()=>{this.checkNow()},J)}async checkNow(){const{text:t,revision:e}=this;e===null||this.isConflict||await this.check.load(()=>this.noting(this.ctx.api.checkPolicies(t,e)))}async noting(t){try{return await t}catch(e){throw A(e)===R&&(this.isConflict=!0,this.dispatchEvent(new CustomEvent("outdated"))),e}}show(t){const e=this.renderRoot.querySelector("textarea");if(!e)return;const s=this.text.split(`
`),a=s.slice(0,t-1).reduce((i,r)=>i+r.length+1,0);e.focus(),e.setSelectionRange(a,a+(s[t-1]?.length??0)),e.scrollTop=(t-4)*e.scrollHeight/Math.max(s.length,1)}};m.styles=[...w.styles,_`
      textarea {
        min-block-size: 320px;
        white-space: pre;
        overflow: auto;
        tab-size: 2;
      }
      .examples {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(230px, 1fr));
        gap: 12px;
      }
      .example {
        display: flex;
        flex-direction: column;
        gap: 4px;
        align-items: start;
      }
    `];x([S({attribute:!1})],m.prototype,"policies",2);x([u()],m.prototype,"text",2);x([u()],m.prototype,"isConflict",2);m=x([O("bb-policy-editor")],m);var z=Object.defineProperty,G=Object.getOwnPropertyDescriptor,f=(t,e,s,a)=>{for(var i=a>1?void 0:a?G(e,s):e,r=t.length-1,l;r>=0;r--)(l=t[r])&&(i=(a?l(e,s,i):l(i))||i);return a&&i&&z(e,s,i),i};const W=["planned","assumed","by","user","person","satellite","device"];let h=class extends C{constructor(){super(...arguments),this.action="light.turn_on",this.targets=[],this.data="{}",this.user="",this.area="",this.fault=null,this.policies=new b(this),this.choices=new b(this),this.verdicts=new b(this),this.submit=t=>{t.preventDefault();const{api:e,t:s}=this.ctx;this.fault=null;let a;try{a=JSON.parse(this.data.trim()||"{}")}catch(i){this.fault=s("policies.no_json",{reason:F(i)});return}if(typeof a!="object"||a===null||Array.isArray(a)){this.fault=s("policies.no_json",{reason:"{…}"});return}this.verdicts.load(()=>e.tryPolicies({action:this.action.trim(),entity_ids:this.targets,data:a,user_id:this.user||null,area_id:this.area||null}))}}prepare(){const{api:t,assistant:e}=this.ctx;this.policies.data||this.policies.load(()=>t.policies()),this.choices.load(()=>t.choices(e.id))}render(){const{t}=this.ctx,e=this.policies.data;return o`<div class="stack">
      ${this.policies.error?n(this.policies.error,"error"):c}
      ${e?o`${this.file(e)}
            <bb-policy-editor
              .ctx=${this.ctx}
              .policies=${e}
              @saved=${s=>{this.policies.load(()=>Promise.resolve(s.detail))}}
              @outdated=${()=>{this.policies.load(()=>this.ctx.api.policies())}}
            ></bb-policy-editor>
            ${this.rules(e)} ${this.people(e)}`:this.policies.error?c:T(t("status.loading"))}
      ${this.form()}
    </div>`}file(t){const{t:e,format:s}=this.ctx,{error:a}=t;return o`<section class="card stack" data-test="policies-file">
      <div class="row spread">
        <h3 class="wrap">${e("policies.where")}</h3>
        <button
          class="button"
          type="button"
          data-test="policies-reload"
          ?disabled=${this.policies.isLoading}
          @click=${()=>{this.policies.load(()=>this.ctx.api.reloadPolicies())}}
        >
          ${k("refresh",18)} ${e("policies.reload")}
        </button>
      </div>
      <p class="row">
        <code class="wrap" data-test="policies-path">${t.path}</code>
        <bb-copy .ctx=${this.ctx} .text=${t.path}></bb-copy>
      </p>
      ${t.exists?c:o`<p class="muted">${e("policies.empty")}</p>`}
      ${a?n(o`<b>
                ${e("policies.broken",{file:a.file??t.file,line:a.line??"–"})}
              </b>
              <div data-test="policies-error">${a.reason??""}</div>`,"error"):c}
      ${t.is_changed?n(e("policies.changed"),"warning"):c}
      ${t.locked_until?n(e("policies.locked",{when:s.time(t.locked_until)}),"warning"):c}
    </section>`}rules(t){const{t:e}=this.ctx;return t.rules.length?o`<section class="card stack">
      <h3>${e("policies.rules")}</h3>
      <ol class="list">
        ${t.rules.map(s=>this.rule(s))}
      </ol>
    </section>`:t.exists&&!t.error?o`<div class="card">${D(e("policies.no_rules"))}</div>`:c}rule(t){const{t:e,label:s,language:a}=this.ctx,i=E(t.match),r=t.reason?.[a]??t.reason?.[""]??t.reason?.en;return o`<li class="stack tight" data-test="rule">
      <div class="row">
        ${v(s("effect",t.effect),g(t.effect))} <b>${t.name}</b>
        ${t.require?v(e("policies.needs_code"),"warning"):c}
      </div>
      ${i.length?o`<p>${s("rule_effect",t.effect)}</p>
          <dl class="facts">
            ${i.map(({path:l,values:d})=>o`<dt>
                  ${l.map((p,P)=>s(l[P-1]==="parameters"?"parameter":"match",p)).join(" · ")}
                </dt>
                <dd>${d.map(p=>this.value(l,p)).join(", ")}</dd>`)}
          </dl>`:o`<p class="muted">${e("policies.everything")}</p>`}
      ${t.to?o`<p>
            ${Object.entries(t.to).map(([l,{min:d,max:p}])=>o`<span>
                ${s("parameter",l)}: ${d??"…"} – ${p??"…"}
              </span>`)}
          </p>`:c}
      ${r?o`<p class="small muted">${this.ctx.t("label.quoted",{text:r})}</p>`:c}
    </li>`}value(t,e){const s=t.at(-1)??"";return s==="weekdays"?this.ctx.format.weekday(e):W.includes(s)?this.ctx.label("match_value",e):t.includes("time")?e.replace(/^(\d\d:\d\d):00$/,"$1"):e}people(t){const{t:e}=this.ctx,s=Object.entries(t.persons);return!t.codes.length&&!s.length?c:o`<section class="card stack tight">
      <h3>${e("policies.people")}</h3>
      <dl class="facts">
        ${t.codes.length?o`<dt>${e("policies.codes")}</dt>
              <dd>${t.codes.join(", ")}</dd>`:c}
        ${s.map(([a,i])=>o`<dt>${a}</dt>
            <dd>${i.join(", ")||"–"}</dd>`)}
      </dl>
    </section>`}form(){const{t,users:e}=this.ctx,s=this.ctx.hass().services??{},a=Object.entries(s).flatMap(([i,r])=>i in(this.choices.data?.domains??{})?Object.keys(r).map(l=>`${i}.${l}`):[]);return o`<form class="card stack" @submit=${this.submit}>
      <h3>${t("policies.try")}</h3>
      <div class="fields">
        <label class="field">
          <span>${t("label.action")}</span>
          <input
            type="text"
            required
            list="actions"
            autocomplete="off"
            .value=${this.action}
            data-test="policy-action"
            @input=${i=>this.action=$(i)}
          />
          <datalist id="actions">
            ${a.map(i=>o`<option value=${i}></option>`)}
          </datalist>
        </label>
        <label class="field">
          <span>${t("label.person")}</span>
          <select
            data-test="policy-user"
            @change=${i=>this.user=$(i)}
          >
            <option value="">${t("try.nobody")}</option>
            ${e.map(i=>o`<option value=${i.id}>${i.name??i.id}</option>`)}
          </select>
        </label>
        <label class="field">
          <span>${t("label.room")}</span>
          <select
            data-test="policy-area"
            @change=${i=>this.area=$(i)}
          >
            <option value="">${t("try.nowhere")}</option>
            ${L(this.ctx).map(i=>o`<option value=${i.id}>${i.name}</option>`)}
          </select>
        </label>
      </div>
      ${this.choices.error?n(this.choices.error,"error"):c}
      <bb-devices
        .ctx=${this.ctx}
        .devices=${this.choices.data?.devices??[]}
        .chosen=${this.targets}
        data-test="policy-devices"
        @chosen=${i=>this.targets=i.detail}
      ></bb-devices>
      <label class="field">
        <span>${t("policies.data")}</span>
        <textarea
          class="code"
          rows="3"
          .value=${this.data}
          spellcheck="false"
          data-test="policy-data"
          @input=${i=>this.data=$(i)}
        ></textarea>
      </label>
      ${this.fault?n(this.fault,"error"):c}
      ${this.verdicts.error?n(this.verdicts.error,"error"):c}
      <div>
        <button class="button primary" type="submit" data-test="policy-try">
          ${t("policies.ask")}
        </button>
      </div>
      ${this.verdicts.data?this.answer(this.verdicts.data):c}
    </form>`}answer(t){const{t:e,label:s,format:a}=this.ctx;return o`<div role="status" data-test="policy-verdicts"><ul class="list">
      ${t.map(i=>o`<li>
          <div class="row">
            ${v(s("effect",i.effect),g(i.effect))}
            <b>${i.rule||e("policies.no_rule")}</b>
            ${i.needs_code?v(e("policies.needs_code"),"warning"):c}
          </div>
          ${i.names?.length?o`<p>${a.list(i.names)}</p>`:c}
          ${i.reason?o`<p class="muted">${i.reason}</p>`:c}
          <pre tabindex="0">${JSON.stringify({action:i.action,data:i.data},null,2)}</pre>
        </li>`)}
      ${t.length?c:o`<li>${e("policies.no_rule")}</li>`}
    </ul></div>`}};h.styles=[...C.styles,_`
      .fields {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(180px, 1fr));
        gap: 12px;
        align-items: end;
      }
    `];f([u()],h.prototype,"action",2);f([u()],h.prototype,"targets",2);f([u()],h.prototype,"data",2);f([u()],h.prototype,"user",2);f([u()],h.prototype,"area",2);f([u()],h.prototype,"fault",2);h=f([O("bb-policies")],h);function F(t){return t instanceof Error?t.message:String(t)}export{h as BbPolicies};
