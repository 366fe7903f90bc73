import{A as v,L as b,a as r,b as p,c as a,l as O,i as j,e as k,d as u,C as y,v as f,D as A,f as P,r as h,g as S}from"./app-CrMjLpet.js";function x(t,e=[]){return Object.entries(t).flatMap(([o,i])=>w(i,[...e,o]))}function w(t,e){return Array.isArray(t)?t.some(g)?t.flatMap((o,i)=>w(o,[...e,...t.length>1?[String(i+1)]:[]])):[{path:e,values:t.map(String)}]:g(t)?x(t,e):[{path:e,values:[String(t)]}]}function g(t){return typeof t=="object"&&t!==null&&!Array.isArray(t)}var D=Object.defineProperty,q=Object.getOwnPropertyDescriptor,d=(t,e,o,i)=>{for(var s=i>1?void 0:i?q(e,o):e,n=t.length-1,l;n>=0;n--)(l=t[n])&&(s=(i?l(e,o,s):l(s))||s);return i&&s&&D(e,o,s),s};let c=class extends v{constructor(){super(...arguments),this.action="light.turn_on",this.targets=[],this.data="{}",this.user="",this.area="",this.fault=null,this.policies=new b(this),this.choices=new b(this),this.verdicts=new b(this),this.submit=t=>{t.preventDefault();const{api:e,t:o}=this.ctx;this.fault=null;let i;try{i=JSON.parse(this.data.trim()||"{}")}catch(s){this.fault=o("policies.no_json",{reason:J(s)});return}if(typeof i!="object"||i===null||Array.isArray(i)){this.fault=o("policies.no_json",{reason:"{…}"});return}this.verdicts.load(()=>e.tryPolicies({action:this.action.trim(),entity_ids:this.targets,data:i,user_id:this.user||null,area_id:this.area||null}))}}prepare(){const{api:t,assistant:e}=this.ctx;this.policies.data||this.policies.load(()=>t.policies()),this.choices.load(()=>t.choices(e.id))}render(){const{t}=this.ctx,e=this.policies.data;return a`<div class="stack">
      ${this.policies.error?p(this.policies.error,"error"):r}
      ${e?a`${this.file(e)} ${this.rules(e)} ${this.people(e)}`:this.policies.error?r:O(t("status.loading"))}
      ${this.form()}
    </div>`}file(t){const{t:e,format:o}=this.ctx,{error:i}=t;return a`<section class="card stack" data-test="policies-file">
      <div class="row spread">
        <h3 class="wrap"><code>${t.file}</code></h3>
        <button
          class="button"
          type="button"
          data-test="policies-reload"
          ?disabled=${this.policies.isLoading}
          @click=${()=>{this.policies.load(()=>this.ctx.api.reloadPolicies())}}
        >
          ${j("refresh",18)} ${e("policies.reload")}
        </button>
      </div>
      ${t.exists?r:a`<p class="muted">${e("policies.empty")}</p>`}
      ${i?p(a`<b>
                ${e("policies.broken",{file:i.file??t.file,line:i.line??"–"})}
              </b>
              <div data-test="policies-error">${i.reason??""}</div>`,"error"):r}
      ${t.is_changed?p(e("policies.changed"),"warning"):r}
      ${t.locked_until?p(e("policies.locked",{when:o.time(t.locked_until)}),"warning"):r}
    </section>`}rules(t){const{t:e}=this.ctx;return t.rules.length?a`<section class="card stack">
      <h3>${e("policies.rules")}</h3>
      <ol class="list">
        ${t.rules.map(o=>this.rule(o))}
      </ol>
    </section>`:t.exists&&!t.error?a`<div class="card">${k(e("policies.no_rules"))}</div>`:r}rule(t){const{t:e,label:o,language:i}=this.ctx,s=x(t.match),n=t.reason?.[i]??t.reason?.[""]??t.reason?.en;return a`<li class="stack tight" data-test="rule">
      <div class="row">
        ${u(o("effect",t.effect),y(t.effect))} <b>${t.name}</b>
        ${t.require?u(e("policies.needs_code"),"warning"):r}
      </div>
      ${s.length?a`<dl class="facts">
            ${s.map(({path:l,values:m})=>a`<dt>
                  ${l.map(($,_)=>o(l[_-1]==="parameters"?"parameter":"match",$)).join(" · ")}
                </dt>
                <dd>${m.map($=>this.value(l,$)).join(", ")}</dd>`)}
          </dl>`:a`<p class="muted">${e("policies.everything")}</p>`}
      ${t.to?a`<p>
            ${Object.entries(t.to).map(([l,{min:m,max:$}])=>a`<span>
                ${o("parameter",l)}: ${m??"…"} – ${$??"…"}
              </span>`)}
          </p>`:r}
      ${n?a`<p class="small muted">${this.ctx.t("label.quoted",{text:n})}</p>`:r}
    </li>`}value(t,e){return t.at(-1)==="weekdays"?this.ctx.format.weekday(e):t.includes("time")?e.replace(/^(\d\d:\d\d):00$/,"$1"):e}people(t){const{t:e}=this.ctx,o=Object.entries(t.persons);return!t.codes.length&&!o.length?r:a`<section class="card stack tight">
      <h3>${e("policies.people")}</h3>
      <dl class="facts">
        ${t.codes.length?a`<dt>${e("policies.codes")}</dt>
              <dd>${t.codes.join(", ")}</dd>`:r}
        ${o.map(([i,s])=>a`<dt>${i}</dt>
            <dd>${s.join(", ")||"–"}</dd>`)}
      </dl>
    </section>`}form(){const{t,users:e}=this.ctx,o=this.ctx.hass().services??{},i=Object.entries(o).flatMap(([s,n])=>s in(this.choices.data?.domains??{})?Object.keys(n).map(l=>`${s}.${l}`):[]);return a`<form class="card stack" @submit=${this.submit}>
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
            @input=${s=>this.action=f(s)}
          />
          <datalist id="actions">
            ${i.map(s=>a`<option value=${s}></option>`)}
          </datalist>
        </label>
        <label class="field">
          <span>${t("label.person")}</span>
          <select
            data-test="policy-user"
            @change=${s=>this.user=f(s)}
          >
            <option value="">${t("try.nobody")}</option>
            ${e.map(s=>a`<option value=${s.id}>${s.name??s.id}</option>`)}
          </select>
        </label>
        <label class="field">
          <span>${t("label.room")}</span>
          <select
            data-test="policy-area"
            @change=${s=>this.area=f(s)}
          >
            <option value="">${t("try.nowhere")}</option>
            ${A(this.ctx).map(s=>a`<option value=${s.id}>${s.name}</option>`)}
          </select>
        </label>
      </div>
      ${this.choices.error?p(this.choices.error,"error"):r}
      <bb-devices
        .ctx=${this.ctx}
        .devices=${this.choices.data?.devices??[]}
        .chosen=${this.targets}
        data-test="policy-devices"
        @chosen=${s=>this.targets=s.detail}
      ></bb-devices>
      <label class="field">
        <span>${t("policies.data")}</span>
        <textarea
          class="code"
          rows="3"
          .value=${this.data}
          spellcheck="false"
          data-test="policy-data"
          @input=${s=>this.data=f(s)}
        ></textarea>
      </label>
      ${this.fault?p(this.fault,"error"):r}
      ${this.verdicts.error?p(this.verdicts.error,"error"):r}
      <div>
        <button class="button primary" type="submit" data-test="policy-try">
          ${t("policies.ask")}
        </button>
      </div>
      ${this.verdicts.data?this.answer(this.verdicts.data):r}
    </form>`}answer(t){const{t:e,label:o,format:i}=this.ctx;return a`<div role="status" data-test="policy-verdicts"><ul class="list">
      ${t.map(s=>a`<li>
          <div class="row">
            ${u(o("effect",s.effect),y(s.effect))}
            <b>${s.rule||e("policies.no_rule")}</b>
            ${s.needs_code?u(e("policies.needs_code"),"warning"):r}
          </div>
          ${s.names?.length?a`<p>${i.list(s.names)}</p>`:r}
          ${s.reason?a`<p class="muted">${s.reason}</p>`:r}
          <pre tabindex="0">${JSON.stringify({action:s.action,data:s.data},null,2)}</pre>
        </li>`)}
      ${t.length?r:a`<li>${e("policies.no_rule")}</li>`}
    </ul></div>`}};c.styles=[...v.styles,P`
      .fields {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(180px, 1fr));
        gap: 12px;
        align-items: end;
      }
    `];d([h()],c.prototype,"action",2);d([h()],c.prototype,"targets",2);d([h()],c.prototype,"data",2);d([h()],c.prototype,"user",2);d([h()],c.prototype,"area",2);d([h()],c.prototype,"fault",2);c=d([S("bb-policies")],c);function J(t){return t instanceof Error?t.message:String(t)}export{c as BbPolicies};
