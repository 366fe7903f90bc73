import{f as y,A as O,L as b,w as L,a as d,b as g,c as o,l as N,E as C,v as f,F as M,y as z,i as D,d as x,t as T,g as q,r as p,h as B}from"./app-Dj53roUT.js";import"./sections-dlYesZSU.js";const E=["ms"];function P(t,a,e){const s=v(t,e),i=v(a,e);return Object.keys(s).map(n=>({name:n,before:s[n],after:i[n],is_different:!E.includes(n)&&s[n]!==i[n]}))}function v(t,a){const{format:e,label:s}=a,i=t.models.reduce((r,l)=>r+l.prompt_tokens,0),n=t.models.reduce((r,l)=>r+l.completion_tokens,0);return{reply:t.reply,state:s("state",t.state),agents:y(a,t.agents),sources:t.sources.map(r=>s("source",r)).join(", "),confidence:t.parts.map(r=>e.score(r.confidence)).join(", "),threshold:e.score(t.threshold),eligible:y(a,t.eligible),calls:j(t).map(S).join(`
`),question:t.plans.flatMap(r=>r.question??[]).join(`
`),policies:t.policies.map(r=>`${s("effect",r.effect)}: ${r.rule??""}`).join(`
`),model_calls:e.number(t.models.length),models:[...new Set(t.models.map(r=>r.model))].join(", "),tokens:`${e.number(i)} + ${e.number(n)}`,ms:e.duration(t.ms)}}function j(t){return t.plans.flatMap(a=>a.dry_run_calls)}function S(t){const a=Object.entries(t.data).map(([e,s])=>`${e}: ${Array.isArray(s)?s.join(", "):JSON.stringify(s)}`).join("; ");return a?`${t.action} (${a})`:t.action}const w=1500;function F(t,a){if(t===a)return t?[{text:t,kind:"same"}]:[];const e=k(t),s=k(a);if(e.length>w||s.length>w)return _([{text:t,kind:"gone"},{text:a,kind:"new"}]);const i=R(e,s),n=[];let r=0,l=0;for(;r<e.length||l<s.length;){const u=e[r],m=s[l];u!==void 0&&u===m?(n.push({text:u,kind:"same"}),r++,l++):m===void 0||u!==void 0&&$(i,r+1,l)>=$(i,r,l+1)?(n.push({text:u,kind:"gone"}),r++):(n.push({text:m,kind:"new"}),l++)}return _(n)}function k(t){return t.match(/\s+|\p{N}+(?:[.,:]\p{N}+)*|[\p{L}\p{N}_'’-]+|[^\s\p{L}\p{N}]/gu)??[]}function R(t,a){const e=Array.from({length:t.length+1},()=>new Uint16Array(a.length+1));for(let s=t.length-1;s>=0;s--)for(let i=a.length-1;i>=0;i--){const n=e[s];n[i]=t[s]===a[i]?$(e,s+1,i+1)+1:Math.max($(e,s+1,i),$(e,s,i+1))}return e}function $(t,a,e){return t[a]?.[e]??0}function _(t){const a=[];let e="",s="";const i=()=>{e&&a.push({text:e,kind:"gone"}),s&&a.push({text:s,kind:"new"}),e=s=""};for(const[n,{text:r,kind:l}]of t.entries()){const u=/^\s+$/.test(r)&&(e||s)&&U(t[n+1]);if((l==="gone"||l==="same"&&u)&&(e+=r),(l==="new"||l==="same"&&u)&&(s+=r),l!=="same"||u)continue;i();const m=a.at(-1);m?.kind==="same"?m.text+=r:a.push({text:r,kind:l})}return i(),a}function U(t){return t!==void 0&&t.kind!=="same"}var G=Object.defineProperty,W=Object.getOwnPropertyDescriptor,h=(t,a,e,s)=>{for(var i=s>1?void 0:s?W(a,e):a,n=t.length-1,r;n>=0;n--)(r=t[n])&&(i=(s?r(a,e,i):r(i))||i);return s&&i&&G(a,e,i),i};const I=["auto","small","capable"];let c=class extends O{constructor(){super(...arguments),this.text="",this.language="",this.area="",this.user="",this.is_comparing=!1,this.threshold="",this.model="",this.contract="auto",this.prompt="",this.isAsking=!1,this.answer=null,this.failure=null,this.conversation=A(),this.trial=new b(this),this.pair=new b(this),this.agents=new b(this),this.submit=t=>{t.preventDefault();const{api:a,assistant:e}=this.ctx;if(!this.text.trim())return;const s=this.sentence();if(this.answer=null,this.failure=null,this.trial.clear(),this.pair.clear(),this.agents.data||this.agents.load(()=>a.agents(e.id)),!this.is_comparing){this.trial.load(()=>a.try(s));return}const i=this.changes();this.pair.load(async()=>({before:await a.try(s),after:await a.try(s,i)}))},this.say=async()=>{this.isAsking=!1,this.failure=null,this.answer=null;const{api:t,assistant:a}=this.ctx,e=Object.values(this.ctx.hass().devices??{}).find(s=>this.area&&s.area_id===this.area);try{const s=await t.say(this.text.trim(),a.entity_id,this.language,e?.id);this.answer=s.response.speech?.plain?.speech??""}catch(s){this.failure=L(s)}}}connectedCallback(){super.connectedCallback();const{memory:t,language:a}=this.ctx,{draft:e}=t;t.draft=null,this.text=e?.text??"",this.language=e?.language??a,this.area=e?.area_id??"",this.user=e?e.user_id??"":this.ctx.hass().user?.id??""}render(){const{t}=this.ctx,a=this.trial.data,e=this.pair.data;return o`<div class="stack">
      ${this.form()}
      ${this.trial.error?g(this.trial.error,"error"):d}
      ${this.pair.error?g(this.pair.error,"error"):d}
      ${this.failure?g(this.failure,"error"):d}
      ${this.answer===null?d:g(o`<span data-test="done">${t("try.done",{reply:this.answer})}</span>`,"success")}
      ${this.trial.isLoading||this.pair.isLoading?N(t("try.working")):d}
      ${a&&!this.trial.isLoading?this.result(a):d}
      ${e&&!this.pair.isLoading?this.comparison(e):d}
      ${this.confirmation()}
    </div>`}form(){const{t,format:a}=this.ctx,e=[...new Set([...C,this.language])].filter(Boolean),s=this.trial.isLoading||this.pair.isLoading;return o`<form class="card stack" @submit=${this.submit}>
      <label class="field">
        <span>${t("label.sentence")}</span>
        <input
          type="text"
          required
          autocomplete="off"
          .value=${this.text}
          placeholder=${t("try.example")}
          data-test="try-text"
          @input=${i=>this.text=f(i)}
        />
      </label>
      <div class="fields">
        <bb-assistant .ctx=${this.ctx}></bb-assistant>
        ${this.choice("language",t("label.language"),this.language,e.map(i=>[i,a.languageName(i)]),i=>this.language=i)}
        ${this.choice("area",t("label.room"),this.area,[["",t("try.nowhere")],...M(this.ctx).map(({id:i,name:n})=>[i,n])],i=>this.area=i)}
        ${this.choice("user",t("label.person"),this.user,[["",t("try.nobody")],...this.people()],i=>this.user=i)}
      </div>
      <label class="check">
        <input
          type="checkbox"
          .checked=${this.is_comparing}
          data-test="compare"
          @change=${i=>this.is_comparing=z(i)}
        />
        ${t("compare.title")}
      </label>
      ${this.is_comparing?this.changesForm():d}
      <div class="row">
        <button class="button primary" type="submit" data-test="try" ?disabled=${s}>
          ${D("play",18)} ${this.is_comparing?t("compare.run"):t("try.run")}
        </button>
        <button
          class="button"
          type="button"
          data-test="really"
          ?disabled=${s||!this.text.trim()}
          @click=${()=>this.isAsking=!0}
        >
          ${t("try.really")}
        </button>
        <span class="small muted">${t("try.about")}</span>
      </div>
    </form>`}people(){const{users:t}=this.ctx,{user:a}=this.ctx.hass(),e=t.map(i=>[i.id,i.name??i.username??i.id]),s=i=>e.some(([n])=>n===i);return a&&!s(a.id)&&e.unshift([a.id,a.name]),this.user&&!s(this.user)&&this.user!==a?.id&&e.push([this.user,this.user]),e}changesForm(){const{t,assistants:a}=this.ctx,e=[...new Set(a.flatMap(s=>s.model??[]))];return o`<fieldset class="stack tight" data-test="changes">
      <legend>${t("compare.about")}</legend>
      <div class="fields">
        <label class="field">
          <span>${t("compare.threshold")}</span>
          <input
            type="number"
            min="0"
            max="1"
            step="0.01"
            .value=${this.threshold}
            data-test="compare-threshold"
            @input=${s=>this.threshold=f(s)}
          />
        </label>
        <label class="field">
          <span>${t("label.model")}</span>
          <input
            type="text"
            list="models"
            .value=${this.model}
            data-test="compare-model"
            @input=${s=>this.model=f(s)}
          />
          <datalist id="models">
            ${e.map(s=>o`<option value=${s}></option>`)}
          </datalist>
        </label>
        <label class="field">
          <span>${t("compare.contract")}</span>
          <select
            data-test="compare-contract"
            @change=${s=>this.contract=f(s)}
          >
            ${I.map(s=>o`<option value=${s} ?selected=${s===this.contract}>
                ${t(`contract.${s}`)}
              </option>`)}
          </select>
        </label>
      </div>
      <label class="field">
        <span>${t("compare.prompt")}</span>
        <textarea
          class="code"
          rows="8"
          .value=${this.prompt}
          data-test="compare-prompt"
          @input=${s=>this.prompt=f(s)}
        ></textarea>
      </label>
    </fieldset>`}choice(t,a,e,s,i){return o`<label class="field">
      <span>${a}</span>
      <select
        data-test="try-${t}"
        @change=${n=>i(f(n))}
      >
        ${s.map(([n,r])=>o`<option value=${n} ?selected=${n===e}>${r}</option>`)}
      </select>
    </label>`}result(t){return o`<div class="stack" data-test="result">
      ${this.summary(t)} ${this.sections(t)}
    </div>`}summary(t,a){const{t:e,label:s,format:i}=this.ctx,n=j(t);return o`<section class="card stack tight" data-test="result-summary">
      ${a?o`<h3>${a}</h3>`:d}
      <p class="reply verbatim" data-test="result-reply">${t.reply}</p>
      <p class="row">
        ${x(s("state",t.state),T(t.state))}
        ${t.sources.map(r=>x(s("source",r),"info"))}
        <span>${y(this.ctx,t.agents)}</span>
        <span class="small muted numeric">${i.duration(t.ms)}</span>
      </p>
      <h3>${e("plan.would")}</h3>
      ${n.length?o`<ul class="stack tight" data-test="result-calls">
            ${n.map(r=>o`<li><code>${S(r)}</code></li>`)}
          </ul>`:o`<p class="muted">${e("try.nothing")}</p>`}
    </section>`}sections(t){return o`<bb-detail
      .ctx=${this.ctx}
      .detail=${t}
      .ms=${t.ms}
      .reading=${t.reading}
      .agents=${this.agents.data??[]}
      trial
    ></bb-detail>`}comparison({before:t,after:a}){const{t:e}=this.ctx,s=P(t,a,this.ctx).filter(n=>n.before||n.after),i=!s.some(n=>n.is_different);return o`<div class="stack" data-test="comparison">
      ${i?g(e("compare.same"),"info"):d}
      <section class="card scroll" tabindex="0" role="region" aria-label=${e("compare.result")}>
        <table class="facts-table">
          <thead>
            <tr>
              <td></td>
              <th scope="col">${e("compare.before")}</th>
              <th scope="col">${e("compare.after")}</th>
            </tr>
          </thead>
          <tbody>
            ${s.map(n=>this.fact(n))}
          </tbody>
        </table>
      </section>
      <div class="sides">
        ${[[t,e("compare.before")],[a,e("compare.after")]].map(([n,r])=>o`<details>
            <summary>${r}</summary>
            <div class="stack">${this.summary(n,r)} ${this.sections(n)}</div>
          </details>`)}
      </div>
    </div>`}fact(t){const{t:a}=this.ctx,e=t.is_different?F(t.before,t.after):[];return o`<tr class=${t.is_different?"different":""} data-test="fact-${t.name}">
      <th scope="row">
        ${a(`compare.${t.name}`)}
        ${t.is_different?o`<span class="visually-hidden">${a("compare.different")}</span>`:d}
      </th>
      <td class="verbatim">${t.is_different?e.map(s=>s.kind==="new"?d:s.kind==="gone"?o`<del>${s.text}</del>`:s.text):t.before||"–"}</td>
      <td class="verbatim">${t.is_different?e.map(s=>s.kind==="gone"?d:s.kind==="new"?o`<mark>${s.text}</mark>`:s.text):t.after||"–"}</td>
    </tr>`}confirmation(){const{t}=this.ctx;return o`<bb-dialog
      small
      .open=${this.isAsking}
      .heading=${t("try.really")}
      .closing=${t("action.close")}
      data-test="really-dialog"
      @closed=${()=>this.isAsking=!1}
    >
      <p>${t("try.really_about")}</p>
      <p class="wrap"><b>${this.ctx.t("label.quoted",{text:this.text})}</b></p>
      <button
        slot="actions"
        class="button"
        type="button"
        data-test="really-no"
        @click=${()=>this.isAsking=!1}
      >
        ${t("action.cancel")}
      </button>
      <button
        slot="actions"
        class="button danger"
        type="button"
        data-test="really-yes"
        @click=${this.say}
      >
        ${t("try.yes")}
      </button>
    </bb-dialog>`}sentence(){return{assistant:this.ctx.assistant.id,text:this.text.trim(),language:this.language,area_id:this.area||null,user_id:this.user||null,conversation_id:this.conversation}}changes(){const{assistant:t}=this.ctx,a=Number(this.threshold),e=this.model.trim();return{...this.threshold&&a!==t.threshold?{threshold:a}:{},...e&&e!==t.model?{model:e}:{},...this.contract!==t.contract?{contract:this.contract}:{},...this.prompt!==t.system_prompt?{system_prompt:this.prompt}:{}}}prepare(){const{assistant:t}=this.ctx;this.agents.clear(),this.threshold=String(t.threshold),this.model=t.model??"",this.contract=t.contract,this.prompt=t.system_prompt,this.conversation=A()}};c.styles=[...O.styles,q`
      .fields {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(160px, 1fr));
        gap: 12px;
        align-items: end;
      }
      .sides {
        display: grid;
        gap: 16px;
        grid-template-columns: minmax(0, 1fr);
      }
      @container page (min-width: 900px) {
        .sides {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }
      }
      .reply {
        font-size: var(--ha-font-size-l, 16px);
      }
      .different > th,
      .different > td {
        background: color-mix(in srgb, var(--bb-warning) 12%, transparent);
      }
      .different > th {
        border-inline-start: 3px solid var(--bb-warning);
        padding-inline-start: 8px;
      }
      .facts-table {
        table-layout: fixed;
        min-inline-size: 520px !important;
      }
      .facts-table th[scope="row"],
      .facts-table td:first-child {
        inline-size: 130px;
      }
      .facts-table th[scope="row"] {
        color: var(--bb-muted);
        font-size: var(--ha-font-size-s, 12px);
      }
    `];h([p()],c.prototype,"text",2);h([p()],c.prototype,"language",2);h([p()],c.prototype,"area",2);h([p()],c.prototype,"user",2);h([p()],c.prototype,"is_comparing",2);h([p()],c.prototype,"threshold",2);h([p()],c.prototype,"model",2);h([p()],c.prototype,"contract",2);h([p()],c.prototype,"prompt",2);h([p()],c.prototype,"isAsking",2);h([p()],c.prototype,"answer",2);h([p()],c.prototype,"failure",2);c=h([B("bb-try")],c);function A(){return`panel-${Date.now().toString(36)}-${Math.random().toString(36).slice(2,10)}`}export{c as BbTry};
