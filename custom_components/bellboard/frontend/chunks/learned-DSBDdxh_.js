import{B as y,L as b,a as n,b as d,c as r,i as h,e as $,l as g,j as m,k as w,d as u,m as f,n as O,w as H,g as L,r as _,h as j}from"./app-Dj53roUT.js";var P=Object.defineProperty,B=Object.getOwnPropertyDescriptor,p=(t,s,e,i)=>{for(var a=i>1?void 0:i?B(s,e):s,o=t.length-1,l;o>=0;o--)(l=t[o])&&(a=(i?l(s,e,a):l(a))||a);return i&&a&&P(s,e,a),a};let c=class extends y{constructor(){super(...arguments),this.error=null,this.asking=null,this.lessons=new b(this),this.habits=new b(this)}connectedCallback(){super.connectedCallback(),this.load()}load(){this.lessons.load(()=>this.ctx.api.learned()),this.hasHabits()&&this.habits.load(()=>this.ctx.api.habits())}hasHabits(){return"habits"in(this.ctx.hass().services?.bellboard??{})}render(){return r`<div class="stack">
      ${this.error?d(this.error,"error"):n} ${this.decisions()}
      ${this.hasHabits()?this.rooms():n} ${this.confirmation()}
    </div>`}decisions(){const{t}=this.ctx,s=this.lessons.data;return r`<section class="card stack" data-test="learned">
      <div class="row spread">
        <h3>${t("learned.title")}</h3>
        ${s?.length?r`<button
              class="button danger"
              type="button"
              data-test="forget-all"
              @click=${()=>this.asking="learned"}
            >
              ${h("trash",18)} ${t("learned.forget_all")}
            </button>`:n}
      </div>
      <p class="small muted">${t("learned.about")}</p>
      ${this.lessons.error?d(this.lessons.error,"error"):n}
      ${s?s.length?r`<ul class="list">
              ${s.map(e=>this.lesson(e))}
            </ul>`:$(t("learned.empty")):this.lessons.error?n:g(t("status.loading"))}
    </section>`}lesson(t){const{t:s,label:e,format:i,assistants:a}=this.ctx,o=t.targets.map(l=>m(this.ctx,l));return r`<li class="lesson" data-test="lesson">
      <div class="stack" style="gap:4px">
        <b class="wrap">${this.ctx.t("label.quoted",{text:t.sentence})}</b>
        <span>
          ${w(this.ctx,t.agent)}:
          ${t.actions.map((l,x)=>r`${x?", ":n}${e("do",l.name)}
              ${Object.entries(l.parameters).map(([v,k])=>r`<span class="small muted">
                  ${e("parameter",v)}: ${i.value(k)}
                </span>`)}`)}
          ${o.length?r`– ${i.list(o)}`:n}
        </span>
        <span class="row small">
          ${u(s(t.in_use?"learned.in_use":"learned.not_yet"),t.in_use?"success":"neutral")}
          ${u(s("learned.origin",{origin:e("origin",t.decided_by)}),"info")}
          <span class="muted">
            ${s("learned.used",{count:i.number(t.used)})}
            ${t.used_at?`· ${i.moment(t.used_at)}`:n}
          </span>
          <span class="muted">
            ${t.area?f(this.ctx,t.area):n}
            ${a.length>1?O(this.ctx,t.assistant):n}
          </span>
        </span>
      </div>
      <button
        class="icon-button"
        type="button"
        aria-label=${s("learned.forget",{sentence:t.sentence})}
        title=${s("learned.forget_short")}
        data-test="forget"
        @click=${()=>this.act(()=>this.ctx.api.forgetLearned(t.assistant,t.sentence),s("learned.forgotten"))}
      >
        ${h("trash")}
      </button>
    </li>`}rooms(){const{t,label:s,format:e}=this.ctx,i=this.habits.data;return r`<section class="card stack" data-test="habits">
      <div class="row spread">
        <h3>${t("habits.title")}</h3>
        ${i?.length?r`<button
              class="button danger"
              type="button"
              data-test="clear-habits"
              @click=${()=>this.asking="habits"}
            >
              ${h("trash",18)} ${t("habits.clear")}
            </button>`:n}
      </div>
      <p class="small muted">${t("habits.about")}</p>
      ${this.habits.error?d(this.habits.error,"error"):n}
      ${i?i.length?r`<ul class="list">
              ${i.map(a=>r`<li class="row" data-test="habit">
                  <b>${f(this.ctx,a.area)??t("habits.anywhere")}</b>
                  <span>
                    ${s("habit",a.kind)}:
                    ${a.entity_id?m(this.ctx,a.entity_id):e.percent((a.percent??0)/100)}
                  </span>
                  ${a.part_of_day?u(s("part_of_day",a.part_of_day),"info"):n}
                  <span class="small muted">${e.moment(a.used_at)}</span>
                </li>`)}
            </ul>`:$(t("habits.empty")):this.habits.error?n:g(t("status.loading"))}
    </section>`}confirmation(){const{t}=this.ctx,s=this.asking==="habits";return r`<bb-dialog
      small
      .open=${this.asking!==null}
      .heading=${t(s?"habits.clear":"learned.forget_all")}
      .closing=${t("action.close")}
      data-test="forget-dialog"
      @closed=${()=>this.asking=null}
    >
      <p>${t(s?"habits.sure":"learned.sure")}</p>
      <button
        slot="actions"
        class="button"
        type="button"
        data-test="forget-no"
        @click=${()=>this.asking=null}
      >
        ${t("action.cancel")}
      </button>
      <button
        slot="actions"
        class="button danger"
        type="button"
        data-test="forget-yes"
        @click=${()=>{this.asking=null;const{api:e}=this.ctx;this.act(()=>s?e.clearHabits():e.forgetLearned(),t("learned.forgotten"))}}
      >
        ${t("learned.yes")}
      </button>
    </bb-dialog>`}async act(t,s){this.error=null;try{await t(),this.ctx.notify(s)}catch(e){this.error=H(e)}this.load()}};c.styles=[...y.styles,L`
      .lesson {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 4px 12px;
        align-items: start;
      }
    `];p([_()],c.prototype,"error",2);p([_()],c.prototype,"asking",2);c=p([j("bb-learned")],c);export{c as BbLearned};
