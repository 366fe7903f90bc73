import{B as h,g as C,r as u,L as D,a as o,b as O,c as l,u as N,n as P,i as g,w as I,h as L,N as $,P as b,q,l as K,e as y,s as M,x,v as f,k as w,y as v,z as j,f as z,d as _,t as A,C as B,D as E}from"./app-Dj53roUT.js";var R=Object.defineProperty,U=Object.getOwnPropertyDescriptor,S=(t,s,n,e)=>{for(var a=e>1?void 0:e?U(s,n):s,r=t.length-1,c;r>=0;r--)(c=t[r])&&(a=(e?c(s,n,a):c(a))||a);return e&&a&&R(s,n,a),a};const F=500,k=6e4,G=["once","waiting","repeating"];let d=class extends h{constructor(){super(...arguments),this.error=null,this.planned=new D(this),this.stopListening=null,this.timer=0}connectedCallback(){super.connectedCallback(),this.stopListening=this.ctx.feed.listen(()=>this.loadIn(F)),this.load()}disconnectedCallback(){super.disconnectedCallback(),this.stopListening?.(),window.clearTimeout(this.timer)}render(){const{t}=this.ctx,s=this.planned.data??[],n=this.error??this.planned.error;return!s.length&&!n?o:l`<section class="card stack" data-test="planned-list">
      <h3>${t("planned.title")}</h3>
      ${n?O(n,"error"):o}
      ${G.map(e=>this.group(e,s.filter(a=>a.kind===e)))}
    </section>`}group(t,s){if(!s.length)return o;const n=`planned-${t}`;return l`<div class="stack" style="gap:4px" data-test=${n}>
      <h4 id=${n}>${this.ctx.label("planned",t)}</h4>
      <ul class="list" aria-labelledby=${n}>
        ${s.map(e=>this.item(e))}
      </ul>
    </div>`}item(t){const{t:s,assistants:n}=this.ctx,e=t.does||s("label.quoted",{text:t.text}),a=N(this.ctx,t.user);return l`<li class="planned" data-test="planned">
      <div class="stack" style="gap:4px">
        <b class="wrap">${e}</b>
        <span class="row small muted">
          ${this.when(t)}
          ${a?l`<span>${a}</span>`:o}
          ${n.length>1?l`<span>${P(this.ctx,t.assistant)}</span>`:o}
          ${t.does?l`<span class="wrap">${s("label.quoted",{text:t.text})}</span>`:o}
        </span>
      </div>
      <button
        class="icon-button"
        type="button"
        aria-label=${s("planned.cancel",{what:e})}
        title=${s("planned.cancel_short")}
        data-test="planned-cancel"
        @click=${()=>this.cancel(t)}
      >
        ${g("trash")}
      </button>
    </li>`}when(t){const{t:s,format:n}=this.ctx,{kind:e,when:a,watched:r}=t,c=n.time(t.due);return l`${a||e==="once"?l`<span class="wrap" data-test="planned-when">${a||c}</span>`:o}
      ${r.length?l`<span class="wrap">${s("planned.watched",{devices:n.list(r)})}</span>`:o}
      ${e==="waiting"?l`<span>${s("planned.until",{time:c})}</span>`:o}
      ${t.is_off?l`<span data-test="planned-off">${s("planned.off")}</span>`:o}`}async cancel(t){const{t:s,api:n,notify:e}=this.ctx;this.error=null;try{const a=await n.cancelPlanned(t.assistant,t.id);e(s(a?"planned.canceled":"planned.gone"))}catch(a){this.error=I(a)}await this.load()}async load(){const{api:t,language:s}=this.ctx,n=await this.planned.load(()=>t.planned(s)),e=n?.find(a=>a.kind!=="repeating");n?.length&&this.loadIn(e?Math.min(k,(e.seconds_left+1)*1e3):k)}loadIn(t){window.clearTimeout(this.timer),this.isConnected&&(this.timer=window.setTimeout(()=>{this.load()},t))}};d.styles=[...h.styles,C`
      .planned {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 4px 12px;
        align-items: center;
      }
    `];S([u()],d.prototype,"error",2);d=S([L("bb-planned")],d);var Y=Object.defineProperty,H=Object.getOwnPropertyDescriptor,m=(t,s,n,e)=>{for(var a=e>1?void 0:e?H(s,n):s,r=t.length-1,c;r>=0;r--)(c=t[r])&&(a=(e?c(s,n,a):c(a))||a);return e&&a&&Y(s,n,a),a};let p=class extends h{constructor(){super(...arguments),this.lines=[],this.filter=$,this.shown=b,this.stopListening=null}connectedCallback(){super.connectedCallback();const{feed:t,memory:s}=this.ctx;this.filter=s.filter,this.shown=s.shown,this.lines=t.lines,this.stopListening=t.listen(()=>{this.lines=t.lines,this.requestUpdate()})}disconnectedCallback(){super.disconnectedCallback(),this.stopListening?.(),this.ctx.memory.filter=this.filter,this.ctx.memory.shown=this.shown}firstUpdated(){const{memory:t}=this.ctx;if(!t.last_turn)return;const s=this.renderRoot.querySelector(`a[data-turn="${t.last_turn}"]`);t.last_turn=null,window.scrollTo({top:t.scroll}),s?.focus({preventScroll:!0})}render(){const{t,feed:s,format:n}=this.ctx,e=q(this.lines,this.filter,a=>w(this.ctx,a));return l`<div class="stack">
      <bb-planned .ctx=${this.ctx}></bb-planned>
      ${this.search()}
      ${s.error?O(t("turns.error",{reason:s.error}),"error"):o}
      ${s.isLoaded?this.lines.length?e.length?l`<p class="small muted" data-test="turns-count">
                  ${t("turns.count",{shown:n.number(Math.min(e.length,this.shown)),all:n.number(this.lines.length)})}
                </p>
                <ol class="card turns" data-test="turns" aria-label=${t("tab.turns")}>
                  ${M(e.slice(0,this.shown),a=>a.id,a=>l`<li>${E([a,this.ctx],()=>this.line(a))}</li>`)}
                </ol>
                ${e.length>this.shown?l`<p style="text-align:center">
                      <button
                        class="button"
                        type="button"
                        data-test="turns-more"
                        @click=${()=>this.shown+=b}
                      >
                        ${t("turns.more")}
                      </button>
                    </p>`:o}`:l`<div class="card">
                ${y(t("turns.no_match"))}
                <p style="text-align:center">
                  <button class="button" type="button" @click=${()=>this.set($)}>
                    ${t("turns.all")}
                  </button>
                </p>
              </div>`:l`<div class="card">${y(t("turns.empty"))}</div>`:s.error?o:K(t("status.loading"))}
    </div>`}search(){const{t,label:s,assistants:n}=this.ctx,{filter:e,lines:a}=this,r=x(a,i=>i.agents),c=x(a,i=>[i.state]),T=x(a,i=>i.sources);return l`<search class="card stack" aria-label=${t("turns.search")}>
      <div class="search">
        ${g("search")}
        <input
          type="search"
          .value=${e.text}
          placeholder=${t("turns.search")}
          aria-label=${t("turns.search")}
          data-test="turns-search"
          @input=${i=>this.set({text:f(i)})}
        />
      </div>
      <div class="filters">
        ${n.length>1?this.choice("assistant",t("label.assistant"),n.map(i=>[i.id,i.title])):o}
        ${this.choice("agent",t("label.agent"),r.map(i=>[i,w(this.ctx,i)]))}
        ${this.choice("state",t("label.outcome"),c.map(i=>[i,s("state",i)]))}
        ${this.choice("source",t("label.source"),T.map(i=>[i,s("source",i)]))}
      </div>
      <div class="row" style="column-gap:24px">
        <span class="check">
          <label class="check">
            <input
              type="checkbox"
              .checked=${e.only_slow}
              data-test="filter-slow"
              @change=${i=>this.set({only_slow:v(i)})}
            />
            ${t("turns.slow")}
          </label>
          <input
            class="seconds"
            type="number"
            min="0"
            max="60"
            step="0.1"
            .value=${String(e.slow)}
            aria-label=${t("turns.slow_seconds")}
            data-test="filter-slow-seconds"
            @change=${i=>this.set({slow:Number(f(i))||0})}
          />
          <span aria-hidden="true">s</span>
        </span>
        <label class="check">
          <input
            type="checkbox"
            .checked=${e.only_corrected}
            data-test="filter-corrected"
            @change=${i=>this.set({only_corrected:v(i)})}
          />
          ${t("turns.corrected")}
        </label>
        ${j(e)?l`<button
              class="button"
              type="button"
              data-test="filter-none"
              @click=${()=>this.set({...$,slow:e.slow})}
            >
              ${g("close",16)} ${t("turns.all")}
            </button>`:o}
      </div>
    </search>`}choice(t,s,n){const e=this.filter[t],a=n.some(([r])=>r===e)||!e;return l`<label class="field">
      <span>${s}</span>
      <select
        data-test="filter-${t}"
        @change=${r=>this.set({[t]:f(r)})}
      >
        <option value="" ?selected=${!e}>${this.ctx.t("label.all")}</option>
        ${a?o:l`<option value=${e} selected>${w(this.ctx,e)}</option>`}
        ${n.map(([r,c])=>l`<option value=${r} ?selected=${r===e}>${c}</option>`)}
      </select>
    </label>`}line(t){const{t:s,format:n,label:e,assistants:a,address:r}=this.ctx;return l`<a
      href=${r("turns",t.id)}
      data-test="turn"
      data-turn=${t.id}
      @click=${c=>this.show(c,t.id)}
    >
      <time class="small muted" datetime=${new Date(t.at*1e3).toISOString()}>
        ${n.time(t.at)}
      </time>
      <span class="words">
        <span class="said">${t.utterance||s("turns.no_words")}</span>
        <span class="reply small muted">${t.reply}</span>
      </span>
      <span class="small">${t.area??o}</span>
      <span class="agents row small">
        ${z(this.ctx,t.agents)}
        ${a.length>1?l`<span class="muted">${P(this.ctx,t.assistant)}</span>`:o}
      </span>
      <span class="row">
        ${_(e("state",t.state),A(t.state))}
        ${t.is_corrected?_(s("turns.is_corrected"),"warning"):o}
      </span>
      <span class="figures small numeric">
        <span>${n.duration(t.ms)}</span>
        <span class="muted">
          ${t.model_calls?s("turns.model_calls",{count:n.number(t.model_calls)}):s("turns.no_model")}
          ${t.cost===null?o:l`· ${B(this.ctx,t.cost)}`}
        </span>
      </span>
    </a>`}show(t,s){t.button!==0||t.metaKey||t.ctrlKey||t.shiftKey||t.altKey||(t.preventDefault(),this.ctx.memory.scroll=window.scrollY,this.ctx.memory.last_turn=s,this.ctx.navigate("turns",s))}set(t){this.filter={...this.filter,...t},this.shown=b}};p.styles=[...h.styles,C`
      .search {
        position: relative;
      }
      .search svg {
        position: absolute;
        inset-block-start: 10px;
        inset-inline-start: 12px;
        color: var(--bb-muted);
        pointer-events: none;
      }
      .search input {
        padding-inline-start: 40px !important;
      }
      .filters {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(150px, 1fr));
        gap: 12px;
        align-items: end;
      }
      .seconds {
        inline-size: 72px !important;
        min-block-size: 32px !important;
        padding: 2px 8px !important;
      }
      .turns {
        padding: 0;
        overflow: hidden;
      }
      .turns li + li {
        border-block-start: 1px solid var(--bb-line);
      }
      a {
        display: grid;
        grid-template-columns: 92px minmax(0, 1fr) minmax(0, 110px) minmax(0, 150px) 110px 96px;
        gap: 4px 16px;
        align-items: center;
        padding: 10px 16px;
        text-decoration: none;
        content-visibility: auto;
        contain-intrinsic-block-size: auto 42px;
      }
      a:hover {
        background: color-mix(in srgb, var(--bb-text) 5%, transparent);
      }
      a:focus-visible {
        outline-offset: -2px;
      }
      .said,
      .reply {
        display: block;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .said {
        font-weight: 500;
        white-space: nowrap;
      }
      .reply {
        overflow-wrap: anywhere;
      }
      .figures {
        text-align: end;
        white-space: normal;
      }
      .figures > span {
        display: block;
      }
      @container page (max-width: 860px) {
        a {
          display: flex;
          flex-wrap: wrap;
          gap: 2px 12px;
        }
        a > .words {
          order: -1;
          flex: 1 1 100%;
        }
        .said,
        .reply {
          white-space: normal;
          overflow-wrap: anywhere;
        }
        .figures {
          margin-inline-start: auto;
        }
        .figures > span {
          display: inline;
        }
      }
    `];m([u()],p.prototype,"lines",2);m([u()],p.prototype,"filter",2);m([u()],p.prototype,"shown",2);p=m([L("bb-turns")],p);export{p as BbTurns};
