import{B as h,f as _,r as u,L as T,a as o,b as k,c as r,u as S,k as O,i as g,w as D,g as C,N as b,P as $,n as j,l as q,e as w,p as I,q as x,v as f,s as y,x as M,d as v,t as N,y as z,z as A}from"./app-Czgn5Pml.js";var B=Object.defineProperty,E=Object.getOwnPropertyDescriptor,P=(t,s,n,e)=>{for(var a=e>1?void 0:e?E(s,n):s,l=t.length-1,c;l>=0;l--)(c=t[l])&&(a=(e?c(s,n,a):c(a))||a);return e&&a&&B(s,n,a),a};const K=500,R=6e4;let d=class extends h{constructor(){super(...arguments),this.error=null,this.planned=new T(this),this.stopListening=null,this.timer=0}connectedCallback(){super.connectedCallback(),this.stopListening=this.ctx.feed.listen(()=>this.loadIn(K)),this.load()}disconnectedCallback(){super.disconnectedCallback(),this.stopListening?.(),window.clearTimeout(this.timer)}render(){const{t}=this.ctx,s=this.planned.data??[],n=this.error??this.planned.error;return!s.length&&!n?o:r`<section class="card stack" data-test="planned-list">
      <h3>${t("planned.title")}</h3>
      ${n?k(n,"error"):o}
      <ul class="list">
        ${s.map(e=>this.item(e))}
      </ul>
    </section>`}item(t){const{t:s,format:n,assistants:e}=this.ctx,a=t.does||s("label.quoted",{text:t.text}),l=S(this.ctx,t.user);return r`<li class="planned" data-test="planned">
      <div class="stack" style="gap:4px">
        <b class="wrap">${a}</b>
        <span class="row small muted">
          <span>${n.time(t.due)}</span>
          ${l?r`<span>${l}</span>`:o}
          ${e.length>1?r`<span>${O(this.ctx,t.assistant)}</span>`:o}
          ${t.does?r`<span class="wrap">${s("label.quoted",{text:t.text})}</span>`:o}
        </span>
      </div>
      <button
        class="icon-button"
        type="button"
        aria-label=${s("planned.cancel",{what:a})}
        title=${s("planned.cancel_short")}
        data-test="planned-cancel"
        @click=${()=>this.cancel(t)}
      >
        ${g("trash")}
      </button>
    </li>`}async cancel(t){const{t:s,api:n,notify:e}=this.ctx;this.error=null;try{const a=await n.cancelPlanned(t.assistant,t.id);e(s(a?"planned.canceled":"planned.gone"))}catch(a){this.error=D(a)}await this.load()}async load(){const{api:t,language:s}=this.ctx,n=await this.planned.load(()=>t.planned(s));n?.length&&this.loadIn(Math.min(R,(n[0].seconds_left+1)*1e3))}loadIn(t){window.clearTimeout(this.timer),this.isConnected&&(this.timer=window.setTimeout(()=>{this.load()},t))}};d.styles=[...h.styles,_`
      .planned {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 4px 12px;
        align-items: center;
      }
    `];P([u()],d.prototype,"error",2);d=P([C("bb-planned")],d);var U=Object.defineProperty,F=Object.getOwnPropertyDescriptor,m=(t,s,n,e)=>{for(var a=e>1?void 0:e?F(s,n):s,l=t.length-1,c;l>=0;l--)(c=t[l])&&(a=(e?c(s,n,a):c(a))||a);return e&&a&&U(s,n,a),a};let p=class extends h{constructor(){super(...arguments),this.lines=[],this.filter=b,this.shown=$,this.stopListening=null}connectedCallback(){super.connectedCallback();const{feed:t,memory:s}=this.ctx;this.filter=s.filter,this.shown=s.shown,this.lines=t.lines,this.stopListening=t.listen(()=>{this.lines=t.lines,this.requestUpdate()})}disconnectedCallback(){super.disconnectedCallback(),this.stopListening?.(),this.ctx.memory.filter=this.filter,this.ctx.memory.shown=this.shown}firstUpdated(){const{memory:t}=this.ctx;if(!t.last_turn)return;const s=this.renderRoot.querySelector(`a[data-turn="${t.last_turn}"]`);t.last_turn=null,window.scrollTo({top:t.scroll}),s?.focus({preventScroll:!0})}render(){const{t,feed:s,format:n}=this.ctx,e=j(this.lines,this.filter);return r`<div class="stack">
      <bb-planned .ctx=${this.ctx}></bb-planned>
      ${this.search()}
      ${s.error?k(t("turns.error",{reason:s.error}),"error"):o}
      ${s.isLoaded?this.lines.length?e.length?r`<p class="small muted" data-test="turns-count">
                  ${t("turns.count",{shown:n.number(Math.min(e.length,this.shown)),all:n.number(this.lines.length)})}
                </p>
                <ol class="card turns" data-test="turns" aria-label=${t("tab.turns")}>
                  ${I(e.slice(0,this.shown),a=>a.id,a=>r`<li>${A([a,this.ctx],()=>this.line(a))}</li>`)}
                </ol>
                ${e.length>this.shown?r`<p style="text-align:center">
                      <button
                        class="button"
                        type="button"
                        data-test="turns-more"
                        @click=${()=>this.shown+=$}
                      >
                        ${t("turns.more")}
                      </button>
                    </p>`:o}`:r`<div class="card">
                ${w(t("turns.no_match"))}
                <p style="text-align:center">
                  <button class="button" type="button" @click=${()=>this.set(b)}>
                    ${t("turns.all")}
                  </button>
                </p>
              </div>`:r`<div class="card">${w(t("turns.empty"))}</div>`:s.error?o:q(t("status.loading"))}
    </div>`}search(){const{t,label:s,assistants:n}=this.ctx,{filter:e,lines:a}=this,l=x(a,i=>i.agents),c=x(a,i=>[i.state]),L=x(a,i=>i.sources);return r`<search class="card stack" aria-label=${t("turns.search")}>
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
        ${this.choice("agent",t("label.agent"),l.map(i=>[i,i]))}
        ${this.choice("state",t("label.outcome"),c.map(i=>[i,s("state",i)]))}
        ${this.choice("source",t("label.source"),L.map(i=>[i,s("source",i)]))}
      </div>
      <div class="row" style="column-gap:24px">
        <span class="check">
          <label class="check">
            <input
              type="checkbox"
              .checked=${e.only_slow}
              data-test="filter-slow"
              @change=${i=>this.set({only_slow:y(i)})}
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
            @change=${i=>this.set({only_corrected:y(i)})}
          />
          ${t("turns.corrected")}
        </label>
        ${M(e)?r`<button
              class="button"
              type="button"
              data-test="filter-none"
              @click=${()=>this.set({...b,slow:e.slow})}
            >
              ${g("close",16)} ${t("turns.all")}
            </button>`:o}
      </div>
    </search>`}choice(t,s,n){const e=this.filter[t],a=n.some(([l])=>l===e)||!e;return r`<label class="field">
      <span>${s}</span>
      <select
        data-test="filter-${t}"
        @change=${l=>this.set({[t]:f(l)})}
      >
        <option value="" ?selected=${!e}>${this.ctx.t("label.all")}</option>
        ${a?o:r`<option value=${e} selected>${e}</option>`}
        ${n.map(([l,c])=>r`<option value=${l} ?selected=${l===e}>${c}</option>`)}
      </select>
    </label>`}line(t){const{t:s,format:n,label:e,assistants:a,address:l}=this.ctx;return r`<a
      href=${l("turns",t.id)}
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
        ${t.agents.join(", ")}
        ${a.length>1?r`<span class="muted">${O(this.ctx,t.assistant)}</span>`:o}
      </span>
      <span class="row">
        ${v(e("state",t.state),N(t.state))}
        ${t.is_corrected?v(s("turns.is_corrected"),"warning"):o}
      </span>
      <span class="figures small numeric">
        <span>${n.duration(t.ms)}</span>
        <span class="muted">
          ${t.model_calls?s("turns.model_calls",{count:n.number(t.model_calls)}):s("turns.no_model")}
          ${t.cost===null?o:r`· ${z(this.ctx,t.cost)}`}
        </span>
      </span>
    </a>`}show(t,s){t.button!==0||t.metaKey||t.ctrlKey||t.shiftKey||t.altKey||(t.preventDefault(),this.ctx.memory.scroll=window.scrollY,this.ctx.memory.last_turn=s,this.ctx.navigate("turns",s))}set(t){this.filter={...this.filter,...t},this.shown=$}};p.styles=[...h.styles,_`
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
        white-space: nowrap;
      }
      .said {
        font-weight: 500;
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
    `];m([u()],p.prototype,"lines",2);m([u()],p.prototype,"filter",2);m([u()],p.prototype,"shown",2);p=m([C("bb-turns")],p);export{p as BbTurns};
