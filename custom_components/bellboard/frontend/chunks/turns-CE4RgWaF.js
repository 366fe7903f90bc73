import{B as y,N as u,P as d,f as _,A as c,a as k,l as O,e as f,b as i,c as C,o as m,i as x,v as b,d as g,g as P,h as S,j as w,t as L,k as j,m as D,r as $,n as K}from"./app-CVcciArX.js";var T=Object.defineProperty,z=Object.getOwnPropertyDescriptor,h=(t,s,r,e)=>{for(var n=e>1?void 0:e?z(s,r):s,l=t.length-1,o;l>=0;l--)(o=t[l])&&(n=(e?o(s,r,n):o(n))||n);return e&&n&&T(s,r,n),n};let p=class extends y{constructor(){super(...arguments),this.lines=[],this.filter=u,this.shown=d,this.stopListening=null}connectedCallback(){super.connectedCallback();const{feed:t,memory:s}=this.ctx;this.filter=s.filter,this.shown=s.shown,this.lines=t.lines,this.stopListening=t.listen(()=>{this.lines=t.lines,this.requestUpdate()})}disconnectedCallback(){super.disconnectedCallback(),this.stopListening?.(),this.ctx.memory.filter=this.filter,this.ctx.memory.shown=this.shown}firstUpdated(){const{memory:t}=this.ctx;if(!t.last_turn)return;const s=this.renderRoot.querySelector(`a[data-turn="${t.last_turn}"]`);t.last_turn=null,window.scrollTo({top:t.scroll}),s?.focus({preventScroll:!0})}render(){const{t,feed:s,format:r}=this.ctx,e=_(this.lines,this.filter);return i`<div class="stack">
      ${this.search()}
      ${s.error?k(t("turns.error",{reason:s.error}),"error"):c}
      ${s.isLoaded?this.lines.length?e.length?i`<p class="small muted" data-test="turns-count">
                  ${t("turns.count",{shown:r.number(Math.min(e.length,this.shown)),all:r.number(this.lines.length)})}
                </p>
                <ol class="card turns" data-test="turns" aria-label=${t("tab.turns")}>
                  ${C(e.slice(0,this.shown),n=>n.id,n=>i`<li>${j([n,this.ctx],()=>this.line(n))}</li>`)}
                </ol>
                ${e.length>this.shown?i`<p style="text-align:center">
                      <button
                        class="button"
                        type="button"
                        data-test="turns-more"
                        @click=${()=>this.shown+=d}
                      >
                        ${t("turns.more")}
                      </button>
                    </p>`:c}`:i`<div class="card">
                ${f(t("turns.no_match"))}
                <p style="text-align:center">
                  <button class="button" type="button" @click=${()=>this.set(u)}>
                    ${t("turns.all")}
                  </button>
                </p>
              </div>`:i`<div class="card">${f(t("turns.empty"))}</div>`:s.error?c:O(t("status.loading"))}
    </div>`}search(){const{t,label:s,assistants:r}=this.ctx,{filter:e,lines:n}=this,l=m(n,a=>a.agents),o=m(n,a=>[a.state]),v=m(n,a=>a.sources);return i`<search class="card stack" aria-label=${t("turns.search")}>
      <div class="search">
        ${x("search")}
        <input
          type="search"
          .value=${e.text}
          placeholder=${t("turns.search")}
          aria-label=${t("turns.search")}
          data-test="turns-search"
          @input=${a=>this.set({text:b(a)})}
        />
      </div>
      <div class="filters">
        ${r.length>1?this.choice("assistant",t("label.assistant"),r.map(a=>[a.id,a.title])):c}
        ${this.choice("agent",t("label.agent"),l.map(a=>[a,a]))}
        ${this.choice("state",t("label.outcome"),o.map(a=>[a,s("state",a)]))}
        ${this.choice("source",t("label.source"),v.map(a=>[a,s("source",a)]))}
      </div>
      <div class="row" style="column-gap:24px">
        <span class="check">
          <label class="check">
            <input
              type="checkbox"
              .checked=${e.only_slow}
              data-test="filter-slow"
              @change=${a=>this.set({only_slow:g(a)})}
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
            @change=${a=>this.set({slow:Number(b(a))||0})}
          />
          <span aria-hidden="true">s</span>
        </span>
        <label class="check">
          <input
            type="checkbox"
            .checked=${e.only_corrected}
            data-test="filter-corrected"
            @change=${a=>this.set({only_corrected:g(a)})}
          />
          ${t("turns.corrected")}
        </label>
        ${P(e)?i`<button
              class="button"
              type="button"
              data-test="filter-none"
              @click=${()=>this.set({...u,slow:e.slow})}
            >
              ${x("close",16)} ${t("turns.all")}
            </button>`:c}
      </div>
    </search>`}choice(t,s,r){const e=this.filter[t],n=r.some(([l])=>l===e)||!e;return i`<label class="field">
      <span>${s}</span>
      <select
        data-test="filter-${t}"
        @change=${l=>this.set({[t]:b(l)})}
      >
        <option value="" ?selected=${!e}>${this.ctx.t("label.all")}</option>
        ${n?c:i`<option value=${e} selected>${e}</option>`}
        ${r.map(([l,o])=>i`<option value=${l} ?selected=${l===e}>${o}</option>`)}
      </select>
    </label>`}line(t){const{t:s,format:r,label:e,assistants:n,address:l}=this.ctx;return i`<a
      href=${l("turns",t.id)}
      data-test="turn"
      data-turn=${t.id}
      @click=${o=>this.show(o,t.id)}
    >
      <time class="small muted" datetime=${new Date(t.at*1e3).toISOString()}>
        ${r.time(t.at)}
      </time>
      <span class="words">
        <span class="said">${t.utterance||s("turns.no_words")}</span>
        <span class="reply small muted">${t.reply}</span>
      </span>
      <span class="small">${t.area??c}</span>
      <span class="agents row small">
        ${t.agents.join(", ")}
        ${n.length>1?i`<span class="muted">${S(this.ctx,t.assistant)}</span>`:c}
      </span>
      <span class="row">
        ${w(e("state",t.state),L(t.state))}
        ${t.is_corrected?w(s("turns.is_corrected"),"warning"):c}
      </span>
      <span class="figures small numeric">
        <span>${r.duration(t.ms)}</span>
        <span class="muted">
          ${t.model_calls?s("turns.model_calls",{count:r.number(t.model_calls)}):s("turns.no_model")}
        </span>
      </span>
    </a>`}show(t,s){t.button!==0||t.metaKey||t.ctrlKey||t.shiftKey||t.altKey||(t.preventDefault(),this.ctx.memory.scroll=window.scrollY,this.ctx.memory.last_turn=s,this.ctx.navigate("turns",s))}set(t){this.filter={...this.filter,...t},this.shown=d}};p.styles=[...y.styles,D`
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
    `];h([$()],p.prototype,"lines",2);h([$()],p.prototype,"filter",2);h([$()],p.prototype,"shown",2);p=h([K("bb-turns")],p);export{p as BbTurns};
