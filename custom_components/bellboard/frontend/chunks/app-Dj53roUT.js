const te=(function(){const t=typeof document<"u"&&document.createElement("link").relList;return t&&t.supports&&t.supports("modulepreload")?"modulepreload":"preload"})(),ee=function(s,t){return new URL(s,t).href},vt={},g=function(t,e,r){let i=Promise.resolve();if(e&&e.length>0){let b=function(d){return Promise.all(d.map(c=>Promise.resolve(c).then(u=>({status:"fulfilled",value:u}),u=>({status:"rejected",reason:u}))))};const o=document.getElementsByTagName("link"),l=document.querySelector("meta[property=csp-nonce]"),a=l?.nonce||l?.getAttribute("nonce");i=b(e.map(d=>{if(d=ee(d,r),d in vt)return;vt[d]=!0;const c=d.endsWith(".css"),u=c?'[rel="stylesheet"]':"";if(r)for(let m=o.length-1;m>=0;m--){const v=o[m];if(v.href===d&&(!c||v.rel==="stylesheet"))return}else if(document.querySelector(`link[href="${d}"]${u}`))return;const h=document.createElement("link");if(h.rel=c?"stylesheet":te,c||(h.as="script"),h.crossOrigin="",h.href=d,a&&h.setAttribute("nonce",a),document.head.appendChild(h),c)return new Promise((m,v)=>{h.addEventListener("load",m),h.addEventListener("error",()=>v(new Error(`Unable to preload CSS for ${d}`)))})}))}function n(o){const l=new Event("vite:preloadError",{cancelable:!0});if(l.payload=o,window.dispatchEvent(l),!l.defaultPrevented)throw o}return i.then(o=>{for(const l of o||[])l.status==="rejected"&&n(l.reason);return t().catch(n)})};const q=globalThis,lt=q.ShadowRoot&&(q.ShadyCSS===void 0||q.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,ct=Symbol(),yt=new WeakMap;let Bt=class{constructor(t,e,r){if(this._$cssResult$=!0,r!==ct)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=t,this.t=e}get styleSheet(){let t=this.o;const e=this.t;if(lt&&t===void 0){const r=e!==void 0&&e.length===1;r&&(t=yt.get(e)),t===void 0&&((this.o=t=new CSSStyleSheet).replaceSync(this.cssText),r&&yt.set(e,t))}return t}toString(){return this.cssText}};const se=s=>new Bt(typeof s=="string"?s:s+"",void 0,ct),B=(s,...t)=>{const e=s.length===1?s[0]:t.reduce((r,i,n)=>r+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(i)+s[n+1],s[0]);return new Bt(e,s,ct)},re=(s,t)=>{if(lt)s.adoptedStyleSheets=t.map(e=>e instanceof CSSStyleSheet?e:e.styleSheet);else for(const e of t){const r=document.createElement("style"),i=q.litNonce;i!==void 0&&r.setAttribute("nonce",i),r.textContent=e.cssText,s.appendChild(r)}},$t=lt?s=>s:s=>s instanceof CSSStyleSheet?(t=>{let e="";for(const r of t.cssRules)e+=r.cssText;return se(e)})(s):s;const{is:ie,defineProperty:ne,getOwnPropertyDescriptor:oe,getOwnPropertyNames:ae,getOwnPropertySymbols:le,getPrototypeOf:ce}=Object,Y=globalThis,_t=Y.trustedTypes,he=_t?_t.emptyScript:"",de=Y.reactiveElementPolyfillSupport,N=(s,t)=>s,Z={toAttribute(s,t){switch(t){case Boolean:s=s?he:null;break;case Object:case Array:s=s==null?s:JSON.stringify(s)}return s},fromAttribute(s,t){let e=s;switch(t){case Boolean:e=s!==null;break;case Number:e=s===null?null:Number(s);break;case Object:case Array:try{e=JSON.parse(s)}catch{e=null}}return e}},ht=(s,t)=>!ie(s,t),wt={attribute:!0,type:String,converter:Z,reflect:!1,useDefault:!1,hasChanged:ht};Symbol.metadata??=Symbol("metadata"),Y.litPropertyMetadata??=new WeakMap;let z=class extends HTMLElement{static addInitializer(t){this._$Ei(),(this.l??=[]).push(t)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(t,e=wt){if(e.state&&(e.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(t)&&((e=Object.create(e)).wrapped=!0),this.elementProperties.set(t,e),!e.noAccessor){const r=Symbol(),i=this.getPropertyDescriptor(t,r,e);i!==void 0&&ne(this.prototype,t,i)}}static getPropertyDescriptor(t,e,r){const{get:i,set:n}=oe(this.prototype,t)??{get(){return this[e]},set(o){this[e]=o}};return{get:i,set(o){const l=i?.call(this);n?.call(this,o),this.requestUpdate(t,l,r)},configurable:!0,enumerable:!0}}static getPropertyOptions(t){return this.elementProperties.get(t)??wt}static _$Ei(){if(this.hasOwnProperty(N("elementProperties")))return;const t=ce(this);t.finalize(),t.l!==void 0&&(this.l=[...t.l]),this.elementProperties=new Map(t.elementProperties)}static finalize(){if(this.hasOwnProperty(N("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(N("properties"))){const e=this.properties,r=[...ae(e),...le(e)];for(const i of r)this.createProperty(i,e[i])}const t=this[Symbol.metadata];if(t!==null){const e=litPropertyMetadata.get(t);if(e!==void 0)for(const[r,i]of e)this.elementProperties.set(r,i)}this._$Eh=new Map;for(const[e,r]of this.elementProperties){const i=this._$Eu(e,r);i!==void 0&&this._$Eh.set(i,e)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(t){const e=[];if(Array.isArray(t)){const r=new Set(t.flat(1/0).reverse());for(const i of r)e.unshift($t(i))}else t!==void 0&&e.push($t(t));return e}static _$Eu(t,e){const r=e.attribute;return r===!1?void 0:typeof r=="string"?r:typeof t=="string"?t.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(t=>this.enableUpdating=t),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(t=>t(this))}addController(t){(this._$EO??=new Set).add(t),this.renderRoot!==void 0&&this.isConnected&&t.hostConnected?.()}removeController(t){this._$EO?.delete(t)}_$E_(){const t=new Map,e=this.constructor.elementProperties;for(const r of e.keys())this.hasOwnProperty(r)&&(t.set(r,this[r]),delete this[r]);t.size>0&&(this._$Ep=t)}createRenderRoot(){const t=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return re(t,this.constructor.elementStyles),t}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(t=>t.hostConnected?.())}enableUpdating(t){}disconnectedCallback(){this._$EO?.forEach(t=>t.hostDisconnected?.())}attributeChangedCallback(t,e,r){this._$AK(t,r)}_$ET(t,e){const r=this.constructor.elementProperties.get(t),i=this.constructor._$Eu(t,r);if(i!==void 0&&r.reflect===!0){const n=(r.converter?.toAttribute!==void 0?r.converter:Z).toAttribute(e,r.type);this._$Em=t,n==null?this.removeAttribute(i):this.setAttribute(i,n),this._$Em=null}}_$AK(t,e){const r=this.constructor,i=r._$Eh.get(t);if(i!==void 0&&this._$Em!==i){const n=r.getPropertyOptions(i),o=typeof n.converter=="function"?{fromAttribute:n.converter}:n.converter?.fromAttribute!==void 0?n.converter:Z;this._$Em=i;const l=o.fromAttribute(e,n.type);this[i]=l??this._$Ej?.get(i)??l,this._$Em=null}}requestUpdate(t,e,r,i=!1,n){if(t!==void 0){const o=this.constructor;if(i===!1&&(n=this[t]),r??=o.getPropertyOptions(t),!((r.hasChanged??ht)(n,e)||r.useDefault&&r.reflect&&n===this._$Ej?.get(t)&&!this.hasAttribute(o._$Eu(t,r))))return;this.C(t,e,r)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(t,e,{useDefault:r,reflect:i,wrapped:n},o){r&&!(this._$Ej??=new Map).has(t)&&(this._$Ej.set(t,o??e??this[t]),n!==!0||o!==void 0)||(this._$AL.has(t)||(this.hasUpdated||r||(e=void 0),this._$AL.set(t,e)),i===!0&&this._$Em!==t&&(this._$Eq??=new Set).add(t))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(e){Promise.reject(e)}const t=this.scheduleUpdate();return t!=null&&await t,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(const[i,n]of this._$Ep)this[i]=n;this._$Ep=void 0}const r=this.constructor.elementProperties;if(r.size>0)for(const[i,n]of r){const{wrapped:o}=n,l=this[i];o!==!0||this._$AL.has(i)||l===void 0||this.C(i,void 0,n,l)}}let t=!1;const e=this._$AL;try{t=this.shouldUpdate(e),t?(this.willUpdate(e),this._$EO?.forEach(r=>r.hostUpdate?.()),this.update(e)):this._$EM()}catch(r){throw t=!1,this._$EM(),r}t&&this._$AE(e)}willUpdate(t){}_$AE(t){this._$EO?.forEach(e=>e.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(t)),this.updated(t)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(t){return!0}update(t){this._$Eq&&=this._$Eq.forEach(e=>this._$ET(e,this[e])),this._$EM()}updated(t){}firstUpdated(t){}};z.elementStyles=[],z.shadowRootOptions={mode:"open"},z[N("elementProperties")]=new Map,z[N("finalized")]=new Map,de?.({ReactiveElement:z}),(Y.reactiveElementVersions??=[]).push("2.1.2");const dt=globalThis,xt=s=>s,G=dt.trustedTypes,At=G?G.createPolicy("lit-html",{createHTML:s=>s}):void 0,Vt="$lit$",x=`lit$${Math.random().toFixed(9).slice(2)}$`,Ft="?"+x,ue=`<${Ft}>`,C=document,I=()=>C.createComment(""),H=s=>s===null||typeof s!="object"&&typeof s!="function",ut=Array.isArray,pe=s=>ut(s)||typeof s?.[Symbol.iterator]=="function",rt=`[ 	
\f\r]`,D=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Et=/-->/g,kt=/>/g,E=RegExp(`>|${rt}(?:([^\\s"'>=/]+)(${rt}*=${rt}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),St=/'/g,Pt=/"/g,Wt=/^(?:script|style|textarea|title)$/i,qt=s=>(t,...e)=>({_$litType$:s,strings:t,values:e}),p=qt(1),fe=qt(2),w=Symbol.for("lit-noChange"),f=Symbol.for("lit-nothing"),Ct=new WeakMap,S=C.createTreeWalker(C,129);function Zt(s,t){if(!ut(s)||!s.hasOwnProperty("raw"))throw Error("invalid template strings array");return At!==void 0?At.createHTML(t):t}const be=(s,t)=>{const e=s.length-1,r=[];let i,n=t===2?"<svg>":t===3?"<math>":"",o=D;for(let l=0;l<e;l++){const a=s[l];let b,d,c=-1,u=0;for(;u<a.length&&(o.lastIndex=u,d=o.exec(a),d!==null);)u=o.lastIndex,o===D?d[1]==="!--"?o=Et:d[1]!==void 0?o=kt:d[2]!==void 0?(Wt.test(d[2])&&(i=RegExp("</"+d[2],"g")),o=E):d[3]!==void 0&&(o=E):o===E?d[0]===">"?(o=i??D,c=-1):d[1]===void 0?c=-2:(c=o.lastIndex-d[2].length,b=d[1],o=d[3]===void 0?E:d[3]==='"'?Pt:St):o===Pt||o===St?o=E:o===Et||o===kt?o=D:(o=E,i=void 0);const h=o===E&&s[l+1].startsWith("/>")?" ":"";n+=o===D?a+ue:c>=0?(r.push(b),a.slice(0,c)+Vt+a.slice(c)+x+h):a+x+(c===-2?l:h)}return[Zt(s,n+(s[e]||"<?>")+(t===2?"</svg>":t===3?"</math>":"")),r]};class j{constructor({strings:t,_$litType$:e},r){let i;this.parts=[];let n=0,o=0;const l=t.length-1,a=this.parts,[b,d]=be(t,e);if(this.el=j.createElement(b,r),S.currentNode=this.el.content,e===2||e===3){const c=this.el.content.firstChild;c.replaceWith(...c.childNodes)}for(;(i=S.nextNode())!==null&&a.length<l;){if(i.nodeType===1){if(i.hasAttributes())for(const c of i.getAttributeNames())if(c.endsWith(Vt)){const u=d[o++],h=i.getAttribute(c).split(x),m=/([.?@])?(.*)/.exec(u);a.push({type:1,index:n,name:m[2],strings:h,ctor:m[1]==="."?ge:m[1]==="?"?ve:m[1]==="@"?ye:Q}),i.removeAttribute(c)}else c.startsWith(x)&&(a.push({type:6,index:n}),i.removeAttribute(c));if(Wt.test(i.tagName)){const c=i.textContent.split(x),u=c.length-1;if(u>0){i.textContent=G?G.emptyScript:"";for(let h=0;h<u;h++)i.append(c[h],I()),S.nextNode(),a.push({type:2,index:++n});i.append(c[u],I())}}}else if(i.nodeType===8)if(i.data===Ft)a.push({type:2,index:n});else{let c=-1;for(;(c=i.data.indexOf(x,c+1))!==-1;)a.push({type:7,index:n}),c+=x.length-1}n++}}static createElement(t,e){const r=C.createElement("template");return r.innerHTML=t,r}}function M(s,t,e=s,r){if(t===w)return t;let i=r!==void 0?e._$Co?.[r]:e._$Cl;const n=H(t)?void 0:t._$litDirective$;return i?.constructor!==n&&(i?._$AO?.(!1),n===void 0?i=void 0:(i=new n(s),i._$AT(s,e,r)),r!==void 0?(e._$Co??=[])[r]=i:e._$Cl=i),i!==void 0&&(t=M(s,i._$AS(s,t.values),i,r)),t}class me{constructor(t,e){this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=e}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(t){const{el:{content:e},parts:r}=this._$AD,i=(t?.creationScope??C).importNode(e,!0);S.currentNode=i;let n=S.nextNode(),o=0,l=0,a=r[0];for(;a!==void 0;){if(o===a.index){let b;a.type===2?b=new R(n,n.nextSibling,this,t):a.type===1?b=new a.ctor(n,a.name,a.strings,this,t):a.type===6&&(b=new $e(n,this,t)),this._$AV.push(b),a=r[++l]}o!==a?.index&&(n=S.nextNode(),o++)}return S.currentNode=C,i}p(t){let e=0;for(const r of this._$AV)r!==void 0&&(r.strings!==void 0?(r._$AI(t,r,e),e+=r.strings.length-2):r._$AI(t[e])),e++}}class R{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(t,e,r,i){this.type=2,this._$AH=f,this._$AN=void 0,this._$AA=t,this._$AB=e,this._$AM=r,this.options=i,this._$Cv=i?.isConnected??!0}get parentNode(){let t=this._$AA.parentNode;const e=this._$AM;return e!==void 0&&t?.nodeType===11&&(t=e.parentNode),t}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(t,e=this){t=M(this,t,e),H(t)?t===f||t==null||t===""?(this._$AH!==f&&this._$AR(),this._$AH=f):t!==this._$AH&&t!==w&&this._(t):t._$litType$!==void 0?this.$(t):t.nodeType!==void 0?this.T(t):pe(t)?this.k(t):this._(t)}O(t){return this._$AA.parentNode.insertBefore(t,this._$AB)}T(t){this._$AH!==t&&(this._$AR(),this._$AH=this.O(t))}_(t){this._$AH!==f&&H(this._$AH)?this._$AA.nextSibling.data=t:this.T(C.createTextNode(t)),this._$AH=t}$(t){const{values:e,_$litType$:r}=t,i=typeof r=="number"?this._$AC(t):(r.el===void 0&&(r.el=j.createElement(Zt(r.h,r.h[0]),this.options)),r);if(this._$AH?._$AD===i)this._$AH.p(e);else{const n=new me(i,this),o=n.u(this.options);n.p(e),this.T(o),this._$AH=n}}_$AC(t){let e=Ct.get(t.strings);return e===void 0&&Ct.set(t.strings,e=new j(t)),e}k(t){ut(this._$AH)||(this._$AH=[],this._$AR());const e=this._$AH;let r,i=0;for(const n of t)i===e.length?e.push(r=new R(this.O(I()),this.O(I()),this,this.options)):r=e[i],r._$AI(n),i++;i<e.length&&(this._$AR(r&&r._$AB.nextSibling,i),e.length=i)}_$AR(t=this._$AA.nextSibling,e){for(this._$AP?.(!1,!0,e);t!==this._$AB;){const r=xt(t).nextSibling;xt(t).remove(),t=r}}setConnected(t){this._$AM===void 0&&(this._$Cv=t,this._$AP?.(t))}}class Q{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(t,e,r,i,n){this.type=1,this._$AH=f,this._$AN=void 0,this.element=t,this.name=e,this._$AM=i,this.options=n,r.length>2||r[0]!==""||r[1]!==""?(this._$AH=Array(r.length-1).fill(new String),this.strings=r):this._$AH=f}_$AI(t,e=this,r,i){const n=this.strings;let o=!1;if(n===void 0)t=M(this,t,e,0),o=!H(t)||t!==this._$AH&&t!==w,o&&(this._$AH=t);else{const l=t;let a,b;for(t=n[0],a=0;a<n.length-1;a++)b=M(this,l[r+a],e,a),b===w&&(b=this._$AH[a]),o||=!H(b)||b!==this._$AH[a],b===f?t=f:t!==f&&(t+=(b??"")+n[a+1]),this._$AH[a]=b}o&&!i&&this.j(t)}j(t){t===f?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,t??"")}}class ge extends Q{constructor(){super(...arguments),this.type=3}j(t){this.element[this.name]=t===f?void 0:t}}class ve extends Q{constructor(){super(...arguments),this.type=4}j(t){this.element.toggleAttribute(this.name,!!t&&t!==f)}}class ye extends Q{constructor(t,e,r,i,n){super(t,e,r,i,n),this.type=5}_$AI(t,e=this){if((t=M(this,t,e,0)??f)===w)return;const r=this._$AH,i=t===f&&r!==f||t.capture!==r.capture||t.once!==r.once||t.passive!==r.passive,n=t!==f&&(r===f||i);i&&this.element.removeEventListener(this.name,this,r),n&&this.element.addEventListener(this.name,this,t),this._$AH=t}handleEvent(t){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)}}class $e{constructor(t,e,r){this.element=t,this.type=6,this._$AN=void 0,this._$AM=e,this.options=r}get _$AU(){return this._$AM._$AU}_$AI(t){M(this,t)}}const _e={I:R},we=dt.litHtmlPolyfillSupport;we?.(j,R),(dt.litHtmlVersions??=[]).push("3.3.3");const xe=(s,t,e)=>{const r=e?.renderBefore??t;let i=r._$litPart$;if(i===void 0){const n=e?.renderBefore??null;r._$litPart$=i=new R(t.insertBefore(I(),n),n,void 0,e??{})}return i._$AI(s),i};const pt=globalThis;let P=class extends z{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){const t=super.createRenderRoot();return this.renderOptions.renderBefore??=t.firstChild,t}update(t){const e=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(t),this._$Do=xe(e,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return w}};P._$litElement$=!0,P.finalized=!0,pt.litElementHydrateSupport?.({LitElement:P});const Ae=pt.litElementPolyfillSupport;Ae?.({LitElement:P});(pt.litElementVersions??=[]).push("4.2.2");const V=s=>(t,e)=>{e!==void 0?e.addInitializer(()=>{customElements.define(s,t)}):customElements.define(s,t)};const Ee={attribute:!0,type:String,converter:Z,reflect:!1,hasChanged:ht},ke=(s=Ee,t,e)=>{const{kind:r,metadata:i}=e;let n=globalThis.litPropertyMetadata.get(i);if(n===void 0&&globalThis.litPropertyMetadata.set(i,n=new Map),r==="setter"&&((s=Object.create(s)).wrapped=!0),n.set(e.name,s),r==="accessor"){const{name:o}=e;return{set(l){const a=t.get.call(this);t.set.call(this,l),this.requestUpdate(o,a,s,!0,l)},init(l){return l!==void 0&&this.C(o,void 0,s,l),l}}}if(r==="setter"){const{name:o}=e;return function(l){const a=this[o];t.call(this,l),this.requestUpdate(o,a,s,!0,l)}}throw Error("Unsupported decorator location: "+r)};function $(s){return(t,e)=>typeof e=="object"?ke(s,t,e):((r,i,n)=>{const o=i.hasOwnProperty(n);return i.constructor.createProperty(n,r),o?Object.getOwnPropertyDescriptor(i,n):void 0})(s,t,e)}function A(s){return $({...s,state:!0,attribute:!1})}const Se=(s,t,e)=>(e.configurable=!0,e.enumerable=!0,Reflect.decorate&&typeof t!="object"&&Object.defineProperty(s,t,e),e);function Pe(s,t){return(e,r,i)=>{const n=o=>o.renderRoot?.querySelector(s)??null;return Se(e,r,{get(){return n(this)}})}}const Ot="bellboard/panel/";class Ce{constructor(t){this.hass=t}async assistants(){return(await this.ask("assistants")).assistants}watchTurns(t){return this.watch("turns",{},t)}turn(t){return this.ask("turn",{turn_id:t})}read(t){return this.ask("read",{...t})}try(t,e={}){return this.ask("try",{...t,...e})}say(t,e,r,i){return this.hass().callWS({type:"conversation/process",text:t,language:r,agent_id:e,...i?{device_id:i}:{}})}choices(t){return this.ask("choices",{assistant:t})}mark(t){return this.ask("correct/mark",{turn_id:t})}async learn(t,e,r){const i={turn_id:t,for_all:r,...e};return(await this.ask("correct/learn",i)).assistants}addAlias(t,e,r){return this.ask("correct/alias",{turn_id:t,entity_id:e,alias:r})}addCase(t,e){return this.ask("correct/case",{turn_id:t,meant:e})}async agents(t){return(await this.ask("agents",{assistant:t})).agents}policies(){return this.ask("policies")}reloadPolicies(){return this.ask("policies/reload")}checkPolicies(t,e){return this.ask("policies/check",{text:t,revision:e})}savePolicies(t,e){return this.ask("policies/save",{text:t,revision:e})}async tryPolicies(t){return(await this.ask("policies/try",{...t})).verdicts}async health(){return(await this.ask("health")).connections}async planned(t){return(await this.ask("planned",{language:t})).planned}async cancelPlanned(t,e){return(await this.ask("planned/cancel",{assistant:t,planned_id:e})).canceled}evaluation(t,e){return this.ask("evaluation",{assistant:t,path:e})}runEvaluation(t,e,r){return this.watch("evaluation/run",{assistant:t,path:e},r)}async learned(){return(await this.act("learned")).learned}async forgetLearned(t,e){const r={...t?{assistant:t}:{},...e?{text:e}:{}};return(await this.act("forget_learned",r)).forgotten}async habits(){return(await this.act("habits")).habits}async clearHabits(){await this.act("clear_habits")}async users(){return(await this.hass().callWS({type:"config/auth/list"})).filter(e=>!e.system_generated&&e.is_active!==!1)}ask(t,e={}){return this.hass().callWS({type:Ot+t,...e})}watch(t,e,r){return this.hass().connection.subscribeMessage(r,{type:Ot+t,...e},{resubscribe:!1})}async act(t,e={}){const{response:r}=await this.hass().callWS({type:"call_service",domain:"bellboard",service:t,service_data:e,return_response:!0});return r}}const Oe={alert:"M12 3 22 20H2ZM12 10v4M12 17v.5",back:"M20 12H5M11 6l-6 6 6 6",check:"M5 13l5 5L20 7",close:"M6 6l12 12M18 6 6 18",copy:"M9 9h11v12H9ZM5 15V3h11",download:"M12 4v11M7 10l5 5 5-5M5 20h14",edit:"M4 20l1-4L16 5l3 3L8 19ZM14 7l3 3",info:"M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18M12 11v5.5M12 7.5v.5",menu:"M4 7h16M4 12h16M4 17h16",play:"M7 4l13 8L7 20Z",refresh:"M20 12a8 8 0 1 1-2.5-5.8L20 8.5M20 4v4.5h-4.5",search:"M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 1 0 0-13M15.5 15.5 21 21",stop:"M6 6h12v12H6Z",trash:"M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13"};function X(s,t=20){return fe`<svg
    viewBox="0 0 24 24"
    width=${t}
    height=${t}
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    style="flex:none"
  ><path d=${Oe[s]}></path></svg>`}const ft={ATTRIBUTE:1,CHILD:2},tt=s=>(...t)=>({_$litDirective$:s,values:t});let et=class{constructor(t){}get _$AU(){return this._$AM._$AU}_$AT(t,e,r){this._$Ct=t,this._$AM=e,this._$Ci=r}_$AS(t,e){return this.update(t,e)}update(t,e){return this.render(...e)}};const Gt="important",Te=" !"+Gt,Tt=tt(class extends et{constructor(s){if(super(s),s.type!==ft.ATTRIBUTE||s.name!=="style"||s.strings?.length>2)throw Error("The `styleMap` directive must be used in the `style` attribute and must be the only part in the attribute.")}render(s){return Object.keys(s).reduce((t,e)=>{const r=s[e];return r==null?t:t+`${e=e.includes("-")?e:e.replace(/(?:^(webkit|moz|ms|o)|)(?=[A-Z])/g,"-$&").toLowerCase()}:${r};`},"")}update(s,[t]){const{style:e}=s.element;if(this.ft===void 0)return this.ft=new Set(Object.keys(t)),this.render(t);for(const r of this.ft)t[r]==null&&(this.ft.delete(r),r.includes("-")?e.removeProperty(r):e[r]=null);for(const r in t){const i=t[r];if(i!=null){this.ft.add(r);const n=typeof i=="string"&&i.endsWith(Te);r.includes("-")||n?e.setProperty(r,n?i.slice(0,-11):i,n?Gt:""):e[r]=i}}return w}});function Ps(s,t="neutral",e){return p`<span class="chip ${t}" data-test=${e??f}>${s}</span>`}const ze={completed:"success",failed:"error","input-required":"info",passed:"success",skipped:"warning"};function Cs(s){return ze[s]??"neutral"}const Me={allow:"success",deny:"error",confirm:"warning",clamp:"info"};function Os(s){return Me[s]??"neutral"}function it(s,t="info",e=f){return p`<div
    class="alert ${t}"
    role=${t==="error"?"alert":"status"}
    data-test="alert-${t}"
  >
    ${X(t==="success"?"check":t==="info"?"info":"alert")}
    <div class="body">${s}</div>
    ${e}
  </div>`}function Ts(s,t){const e=r=>`${(Math.min(Math.max(r,0),1)*100).toFixed(2)}%`;return p`<div class="bar" aria-hidden="true">
    <div class="fill" style=${Tt({inlineSize:e(s)})}></div>
    ${t===void 0?f:p`<div class="line" style=${Tt({insetInlineStart:e(t)})}></div>`}
  </div>`}function Re(s){return p`<p class="empty" data-test="empty">${s}</p>`}function zt(s){return p`<p class="empty" role="status" data-test="loading">${s}</p>`}const Le=B`
  :host {
    --bb-card: var(--ha-card-background, var(--card-background-color, #fff));
    --bb-page: var(--primary-background-color, #fafafa);
    --bb-text: var(--primary-text-color, #141414);
    --bb-muted: var(--secondary-text-color, #5e5e5e);
    --bb-line: var(--divider-color, #0000001f);
    --bb-accent: var(--primary-color, #009ac7);
    --bb-error: var(--error-color, #db4437);
    --bb-warning: var(--warning-color, #ffa600);
    --bb-success: var(--success-color, #43a047);
    --bb-info: var(--info-color, #039be5);
    --bb-neutral: var(--disabled-text-color, #808080);
    --bb-field: var(--input-fill-color, var(--secondary-background-color, #f5f5f5));
    --bb-radius: var(--ha-card-border-radius, 12px);
    --bb-code: var(--ha-font-family-code, var(--code-font-family, monospace));
    color: var(--bb-text);
    font-family: var(--ha-font-family-body, var(--mdc-typography-font-family, Roboto, Noto, sans-serif));
    font-size: var(--ha-font-size-m, 14px);
    line-height: 1.5;
    -webkit-font-smoothing: var(--ha-font-smoothing, antialiased);
  }
`,bt=B`
  :host {
    display: block;
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h2,
  h3,
  h4,
  p,
  ul,
  ol,
  dl,
  dd,
  figure {
    margin: 0;
    padding: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  h2 {
    font-size: var(--ha-font-size-xl, 20px);
    font-weight: 500;
    line-height: 1.3;
    overflow-wrap: anywhere;
  }
  h3 {
    font-size: var(--ha-font-size-l, 16px);
    font-weight: 500;
    line-height: 1.4;
  }
  h4 {
    font-size: var(--ha-font-size-m, 14px);
    font-weight: 500;
  }
  a {
    color: inherit;
  }
  :focus-visible {
    outline: 2px solid var(--bb-accent);
    outline-offset: 2px;
    border-radius: 4px;
  }
  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .muted {
    color: var(--bb-muted);
  }
  .small {
    font-size: var(--ha-font-size-s, 12px);
  }
  .stack {
    display: grid;
    gap: 16px;
    grid-template-columns: minmax(0, 1fr);
  }
  .tight {
    gap: 8px;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
  }
  .spread {
    justify-content: space-between;
  }
  .numeric {
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .wrap {
    overflow-wrap: anywhere;
  }
  .verbatim {
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }

  .card {
    background: var(--bb-card);
    border: 1px solid var(--ha-card-border-color, var(--bb-line));
    border-radius: var(--bb-radius);
    padding: 16px;
    min-inline-size: 0;
  }
  .card > h3:first-child {
    margin-block-end: 8px;
  }
  .empty {
    text-align: center;
    padding: 32px 16px;
    color: var(--bb-muted);
  }

  button {
    font: inherit;
    color: inherit;
    cursor: pointer;
  }
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 8px;
    min-block-size: 40px;
    padding: 4px 16px;
    border: 1px solid var(--bb-line);
    border-radius: 20px;
    background: none;
    color: var(--bb-text);
    font-weight: 500;
    text-decoration: none;
  }
  .button:hover {
    background: color-mix(in srgb, var(--bb-text) 6%, transparent);
  }
  .button.primary {
    border-color: var(--bb-accent);
    background: color-mix(in srgb, var(--bb-accent) 20%, transparent);
  }
  .button.primary:hover {
    background: color-mix(in srgb, var(--bb-accent) 30%, transparent);
  }
  .button.danger {
    border-color: var(--bb-error);
    background: color-mix(in srgb, var(--bb-error) 14%, transparent);
  }
  .button:disabled {
    opacity: 0.5;
    cursor: default;
  }
  .icon-button {
    display: inline-grid;
    place-items: center;
    inline-size: 40px;
    block-size: 40px;
    border: 0;
    border-radius: 50%;
    background: none;
    padding: 0;
  }
  .icon-button:hover {
    background: color-mix(in srgb, currentColor 10%, transparent);
  }
  .icon-button:focus-visible,
  .button:focus-visible {
    border-radius: 20px;
  }

  .field {
    display: grid;
    gap: 4px;
    min-inline-size: 0;
  }
  .field > span,
  legend {
    font-size: var(--ha-font-size-s, 12px);
    color: var(--bb-muted);
    padding: 0;
  }
  fieldset {
    border: 0;
    padding: 0;
    margin: 0;
    min-inline-size: 0;
  }
  input:not([type="checkbox"], [type="radio"], [type="range"]),
  select,
  textarea {
    font: inherit;
    color: var(--bb-text);
    background: var(--bb-field);
    border: 1px solid transparent;
    border-block-end: 1px solid var(--bb-muted);
    border-radius: 8px 8px 0 0;
    min-block-size: 40px;
    padding: 8px 12px;
    inline-size: 100%;
    min-inline-size: 0;
  }
  input::placeholder,
  textarea::placeholder {
    color: var(--bb-muted);
    opacity: 1;
  }
  option {
    color: var(--bb-text);
    background: var(--bb-card);
  }
  textarea {
    min-block-size: 96px;
    resize: vertical;
  }
  input[type="checkbox"],
  input[type="radio"] {
    accent-color: var(--bb-accent);
    inline-size: 18px;
    block-size: 18px;
    margin: 0;
    flex: none;
  }
  .check {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    min-block-size: 32px;
  }
  .code,
  pre {
    font-family: var(--bb-code);
    font-size: var(--ha-font-size-s, 12px);
  }
  pre {
    margin: 0;
    padding: 12px;
    border-radius: 8px;
    background: var(--bb-field);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    max-block-size: 480px;
    overflow: auto;
    scrollbar-width: thin;
    scrollbar-color: var(--scrollbar-thumb-color, var(--bb-muted)) transparent;
  }
  code {
    font-family: var(--bb-code);
    font-size: 0.92em;
    overflow-wrap: anywhere;
  }

  .chip {
    --tone: var(--bb-neutral);
    display: inline-flex;
    align-items: center;
    gap: 4px;
    max-inline-size: 100%;
    padding: 1px 8px;
    border-radius: 12px;
    font-size: var(--ha-font-size-s, 12px);
    line-height: 20px;
    color: var(--bb-text);
    background: color-mix(in srgb, var(--tone) 20%, transparent);
    overflow-wrap: anywhere;
  }
  .success {
    --tone: var(--bb-success);
  }
  .warning {
    --tone: var(--bb-warning);
  }
  .error {
    --tone: var(--bb-error);
  }
  .info {
    --tone: var(--bb-info);
  }
  .alert {
    --tone: var(--bb-info);
    display: flex;
    gap: 12px;
    align-items: flex-start;
    padding: 12px 16px;
    border-radius: 8px;
    background: color-mix(in srgb, var(--tone) 14%, var(--bb-card));
    overflow-wrap: anywhere;
  }
  .alert.error {
    --tone: var(--bb-error);
  }
  .alert.warning {
    --tone: var(--bb-warning);
  }
  .alert.success {
    --tone: var(--bb-success);
  }
  .alert > .body {
    flex: 1;
    min-inline-size: 0;
    align-self: center;
  }
  .alert > svg {
    color: var(--tone);
  }

  .bar {
    position: relative;
    block-size: 10px;
    border-radius: 5px;
    background: color-mix(in srgb, var(--bb-text) 10%, transparent);
  }
  .bar > .fill {
    block-size: 100%;
    border-radius: 5px;
    background: var(--tone, var(--bb-accent));
  }
  .bar > .line {
    position: absolute;
    inset-block: -4px;
    inline-size: 2px;
    background: var(--bb-text);
  }

  table {
    border-collapse: collapse;
    inline-size: 100%;
  }
  th,
  td {
    text-align: start;
    vertical-align: top;
    padding: 6px 12px 6px 0;
    border-block-end: 1px solid var(--bb-line);
    overflow-wrap: anywhere;
  }
  th {
    font-weight: 500;
    color: var(--bb-muted);
    font-size: var(--ha-font-size-s, 12px);
  }
  th[scope="row"] {
    color: inherit;
    font-size: inherit;
  }
  tr:last-child > td,
  tr:last-child > th[scope="row"] {
    border-block-end: 0;
  }
  .scroll {
    overflow-x: auto;
    scrollbar-width: thin;
  }
  .scroll > table {
    min-inline-size: 460px;
  }
  dl.facts {
    display: grid;
    grid-template-columns: fit-content(40%) minmax(0, 1fr);
    gap: 4px 16px;
  }
  dl.facts > dt {
    color: var(--bb-muted);
  }
  dl.facts > dd {
    overflow-wrap: anywhere;
  }
  details > summary {
    cursor: pointer;
    min-block-size: 32px;
    align-content: center;
  }
  details[open] > summary {
    margin-block-end: 8px;
  }
  .list > li + li {
    border-block-start: 1px solid var(--bb-line);
    margin-block-start: 12px;
    padding-block-start: 12px;
  }
  mark {
    color: inherit;
    background: color-mix(in srgb, var(--bb-success) 28%, transparent);
    border-radius: 3px;
  }
  del {
    background: color-mix(in srgb, var(--bb-error) 22%, transparent);
    border-radius: 3px;
  }
  @media (prefers-reduced-motion: no-preference) {
    .button,
    .icon-button {
      transition: background-color 120ms;
    }
  }
`,De=182*864e5;function Ue(s){switch(s.number_format){case"comma_decimal":return["en-US","en"];case"decimal_comma":return["de","es","it"];case"space_comma":return["fr","sv","cs"];case"quote_decimal":return["de-CH"];case"system":return;default:return s.language}}function Ne(s){if(s.time_format==="12")return!0;if(s.time_format==="24")return!1}class Ie{constructor(t,e){this.language=t.language,this.locales=Ue(t),this.grouping=t.number_format!=="none";const r=t.time_zone==="server"&&e?{timeZone:e}:{},i=Ne(t),n=i===void 0?{}:{hour12:i},o={hour:"numeric",minute:"2-digit",second:"2-digit"},l={year:"numeric",month:"short",day:"numeric"};this.clock=new Intl.DateTimeFormat(this.language,{...o,...n,...r});const a={hour:"numeric",minute:"2-digit",...n,...r};this.dayAndClock=new Intl.DateTimeFormat(this.language,{...l,...a}),this.nearDayAndClock=new Intl.DateTimeFormat(this.language,{month:"short",day:"numeric",...a}),this.dayOnly=new Intl.DateTimeFormat(this.language,{...l,...r})}number(t,e=0){return new Intl.NumberFormat(this.locales,{maximumFractionDigits:e,useGrouping:this.grouping}).format(t)}money(t,e){return e?new Intl.NumberFormat(this.locales,{style:"currency",currency:e,useGrouping:this.grouping,...t<1?{maximumFractionDigits:8}:{}}).format(t):this.number(t,8)}percent(t){return new Intl.NumberFormat(this.locales,{style:"percent",maximumFractionDigits:0,useGrouping:this.grouping}).format(t)}score(t){return new Intl.NumberFormat(this.locales,{minimumFractionDigits:2,maximumFractionDigits:2}).format(t)}duration(t){if(t==null)return"–";const e=t>=1e3,r=e?t/1e3:t,i=e?r<10?2:1:r<10?1:0;return new Intl.NumberFormat(this.locales,{style:"unit",unit:e?"second":"millisecond",unitDisplay:"short",maximumFractionDigits:i,useGrouping:this.grouping}).format(r)}time(t,e=new Date){const r=Mt(t);return Number.isNaN(r.getTime())?String(t):this.dayOnly.format(r)===this.dayOnly.format(e)?this.clock.format(r):(Math.abs(e.getTime()-r.getTime())<De?this.nearDayAndClock:this.dayAndClock).format(r)}moment(t){const e=Mt(t);return Number.isNaN(e.getTime())?String(t):this.dayAndClock.format(e)}weekday(t){const e=["mon","tue","wed","thu","fri","sat","sun"].indexOf(t);if(e<0)return t;const r=new Date(Date.UTC(2024,0,1+e));return new Intl.DateTimeFormat(this.language,{weekday:"long",timeZone:"UTC"}).format(r)}list(t){return new Intl.ListFormat(this.language,{type:"conjunction"}).format(t)}languageName(t){try{return new Intl.DisplayNames([this.language],{type:"language"}).of(t)??t}catch{return t}}value(t){return t==null?"–":typeof t=="number"?this.number(t,2):typeof t=="string"?t:JSON.stringify(t)}}function Mt(s){return typeof s=="number"?new Date(s*1e3):s instanceof Date?s:new Date(s)}function zs(s){const t=s?.translation_key;return typeof t=="string"?t:""}function J(s){if(typeof s=="string")return s;if(s&&typeof s=="object"){const{message:t,code:e,error:r}=s;if(typeof t=="string"&&t)return t;if(typeof r=="string"&&r)return r;if(typeof e=="string"||typeof e=="number")return String(e)}return String(s)}const mt={de:()=>g(()=>import("./de-CCa5xY-1.js"),[],import.meta.url),en:()=>g(()=>import("./en-COOY8ijT.js"),[],import.meta.url),es:()=>g(()=>import("./es-CCIAxqb3.js"),[],import.meta.url),fr:()=>g(()=>import("./fr-BAJ3ov1Y.js"),[],import.meta.url),it:()=>g(()=>import("./it-D4X6lkqZ.js"),[],import.meta.url),nl:()=>g(()=>import("./nl-CoR_DVPc.js"),[],import.meta.url),pl:()=>g(()=>import("./pl-Bz0lHYjc.js"),[],import.meta.url),pt:()=>g(()=>import("./pt-B7-ZK_1m.js"),[],import.meta.url),sv:()=>g(()=>import("./sv-DYIuWKc0.js"),[],import.meta.url)},Ms=Object.keys(mt);function Jt(s){const t=(s??"en").toLowerCase().split(/[-_]/)[0]??"en";return t in mt?t:"en"}class He{constructor(t,e){this.language=t,this.words=e,this.text=(r,i={})=>je(this.words[r]??r,i),this.label=(r,i)=>this.words[`${r}.${i.replaceAll("-","_")}`]??i}}function je(s,t){return s.replace(/\{(\w+)\}/g,(e,r)=>r in t?String(t[r]):e)}async function Be(s){const t=Jt(s),e=mt[t];return new He(t,(await e()).default)}const Kt=["turns","try","evaluation","learned","agents","policies","health"];function Ve(s){const[t="",e=""]=s.split("/").filter(Boolean),r=Kt.find(i=>i===t)??"turns";return{view:r,turn:r==="turns"&&e?We(e):null}}function Fe(s,t){return t?`/${s}/${encodeURIComponent(t)}`:`/${s}`}function We(s){try{return decodeURIComponent(s)}catch{return s}}const Yt=500,Rt=200,qe=5e3;function Lt(s,t){const e=new Map;for(const n of t)e.set(n.id,n);const r=s.map(n=>{const o=e.get(n.id);return e.delete(n.id),o??n});return[...[...e.values()].reverse(),...r].slice(0,Yt)}class Ze{constructor(t){this.api=t,this.lines=[],this.isLoaded=!1,this.error=null,this.pending=[],this.frame=0,this.wait=0,this.shownAt=-Rt,this.retry=0,this.unsubscribe=null,this.connection=null,this.run=0,this.listeners=new Set,this.subscribe=async()=>{const e=++this.run;window.clearTimeout(this.retry),this.drop();try{const r=await this.api.watchTurns(i=>{e===this.run&&this.take(i)});e===this.run?this.unsubscribe=r:await r()}catch(r){if(e!==this.run)return;this.error=J(r),this.retry=window.setTimeout(()=>{this.subscribe()},qe),this.tell()}},this.flush=()=>{this.frame=this.wait=0,this.shownAt=performance.now(),this.lines=Lt(this.lines,this.pending),this.pending=[],this.tell()}}listen(t){return this.listeners.add(t),()=>this.listeners.delete(t)}start(t){this.connection=t,t.addEventListener("ready",this.subscribe),this.subscribe()}stop(){this.run++,window.clearTimeout(this.retry),window.clearTimeout(this.wait),cancelAnimationFrame(this.frame),this.frame=this.wait=0,this.connection?.removeEventListener("ready",this.subscribe),this.drop()}drop(){const t=this.unsubscribe;this.unsubscribe=null,t&&Promise.resolve(t()).catch(()=>{})}take(t){if("turns"in t){this.pending=[],this.lines=Lt([],t.turns),this.isLoaded=!0,this.error=null,this.tell();return}this.pending.push(t.turn),this.pending.length>Yt&&this.pending.shift(),this.wait||=window.setTimeout(()=>this.frame=requestAnimationFrame(this.flush),Math.max(0,this.shownAt+Rt-performance.now()))}tell(){for(const t of[...this.listeners])t()}}const Ge=100,Je={text:"",assistant:"",agent:"",state:"",source:"",only_slow:!1,slow:1,only_corrected:!1},Dt=new WeakMap;function Ke(s,t){let e=Dt.get(s);return e===void 0&&(e=K([s.utterance,s.reply,s.area??"",...s.agents,...s.agents.map(t)].join(`
`)),Dt.set(s,e)),e}function K(s){return s.normalize("NFD").replace(/\p{M}/gu,"").toLowerCase()}function Rs(s,t,e){const r=K(t.text).split(/\s+/).filter(Boolean);return Ye(t)?s.filter(i=>(!t.assistant||i.assistant===t.assistant)&&(!t.agent||i.agents.includes(t.agent))&&(!t.state||i.state===t.state)&&(!t.source||i.sources.includes(t.source))&&(!t.only_slow||i.ms>t.slow*1e3)&&(!t.only_corrected||i.is_corrected)&&r.every(n=>Ke(i,e).includes(n))):s}function Ye(s){return!!(s.text.trim()||s.assistant||s.agent||s.state)||!!(s.source||s.only_slow||s.only_corrected)}function Ls(s,t){return[...new Set(s.flatMap(t))].sort()}var Qe=Object.defineProperty,Xe=Object.getOwnPropertyDescriptor,_=(s,t,e,r)=>{for(var i=r>1?void 0:r?Xe(t,e):t,n=s.length-1,o;n>=0;n--)(o=s[n])&&(i=(r?o(t,e,i):o(i))||i);return r&&i&&Qe(t,e,i),i};const Ut="bellboard-assistant",ts=5e3,es={turns:()=>g(()=>import("./turns-B7qDDklb.js"),[],import.meta.url),turn:()=>g(()=>import("./turn-DgcHYIz8.js"),[],import.meta.url),try:()=>g(()=>import("./try-DtX5vi_p.js"),[],import.meta.url),evaluation:()=>g(()=>import("./evaluation-DYzXXUbu.js"),[],import.meta.url),learned:()=>g(()=>import("./learned-DSBDdxh_.js"),[],import.meta.url),agents:()=>g(()=>import("./agents-DL1BET8O.js"),[],import.meta.url),policies:()=>g(()=>import("./policies-huABQ5kc.js"),[],import.meta.url),health:()=>g(()=>import("./health-CyeY1--X.js"),[],import.meta.url)};function ss(s,t){return s?.language!==t?.language||s?.locale!==t?.locale||s?.areas!==t?.areas||s?.user!==t?.user||s?.connected!==t?.connected||s?.dockedSidebar!==t?.dockedSidebar||s?.connection!==t?.connection||s?.services?.bellboard!==t?.services?.bellboard}let y=class extends P{constructor(){super(...arguments),this.narrow=!1,this.localize=null,this.assistants=null,this.users=[],this.chosen=localStorage.getItem(Ut)??"",this.error=null,this.ready=new Set,this.missing=new Set,this.api=new Ce(()=>this.hass),this.feed=new Ze(this.api),this.memory={filter:Je,shown:Ge,scroll:0,last_turn:null,draft:null,policies:null},this.connection=null,this.ctx=null,this.tabInSight="",this.retry=0,this.loadAssistants=async()=>{window.clearTimeout(this.retry);try{this.assistants=await this.api.assistants(),this.error=null}catch(s){this.assistants?.length||(this.error=J(s))}!this.assistants?.length&&this.connection&&(this.retry=window.setTimeout(()=>{this.loadAssistants()},ts))},this.choose=s=>{this.chosen=s,localStorage.setItem(Ut,s)},this.address=(s,t)=>`${this.route?.prefix??"/bellboard"}${Fe(s,t)}`,this.navigate=(s,t)=>{const e=this.address(s,t);e!==window.location.pathname&&(history.pushState(null,"",e),window.dispatchEvent(new CustomEvent("location-changed",{detail:{replace:!1}})))},this.notify=s=>{this.dispatchEvent(new CustomEvent("hass-notification",{detail:{message:s},bubbles:!0,composed:!0}))},this.toggleMenu=()=>{this.dispatchEvent(new CustomEvent("hass-toggle-menu",{bubbles:!0,composed:!0}))},this.move=s=>{const t=[...s.currentTarget.querySelectorAll(".tab")],e=t.indexOf(s.target),r={ArrowRight:(e+1)%t.length,ArrowLeft:(e+t.length-1)%t.length,Home:0,End:t.length-1}[s.key];e<0||r===void 0||(s.preventDefault(),t[r]?.focus())}}connectedCallback(){super.connectedCallback(),this.hass&&this.connect(this.hass.connection)}disconnectedCallback(){super.disconnectedCallback(),this.disconnect()}willUpdate(s){const{hass:t}=this;if(!t)return;s.has("hass")&&(this.isConnected&&this.connect(t.connection),this.localize?.language!==Jt(t.language)&&this.loadWords(t.language)),this.loadView();const e=["hass","localize","assistants","users","chosen"];[...s.keys()].some(r=>e.includes(String(r)))&&(this.ctx=this.makeContext(t))}updated(){const s=this.renderRoot.querySelector('.tab[aria-selected="true"]'),t=s?.parentElement;if(!s||!t||s.id===this.tabInSight)return;this.tabInSight=s.id;const{offsetLeft:e,offsetWidth:r}=s;t.scrollLeft=e-(t.clientWidth-r)/2}render(){if(!this.localize)return f;const s=this.localize.text,t=this.place,e=this.narrow||this.hass?.dockedSidebar==="always_hidden";return p`<header>
        <div class="toolbar">
          ${e?p`<button
                class="icon-button"
                type="button"
                aria-label=${s("header.menu")}
                data-test="menu"
                @click=${this.toggleMenu}
              >
                ${X("menu",24)}
              </button>`:f}
          <h1>Bellboard</h1>
        </div>
        <div class="tabs" role="tablist" aria-label=${s("header.views")} @keydown=${this.move}>
          ${Kt.map(r=>p`<button
              class="tab"
              type="button"
              role="tab"
              id="tab-${r}"
              aria-selected=${r===t.view}
              aria-controls="view"
              tabindex=${r===t.view?0:-1}
              data-test="tab-${r}"
              @click=${()=>this.navigate(r)}
            >
              ${s(`tab.${r}`)}
            </button>`)}
        </div>
      </header>
      <main>
        <div
          id="view"
          role="tabpanel"
          aria-labelledby="tab-${t.view}"
          data-test="view-${t.turn?"turn":t.view}"
        >
          ${t.turn?f:p`<h2 class="visually-hidden">${s(`tab.${t.view}`)}</h2>`}
          ${this.hass?.connected===!1?p`<div class="lost">${it(s("status.disconnected"),"warning")}</div>`:f}
          ${this.content(t)}
        </div>
      </main>`}content(s){const t=this.localize.text;if(this.error)return it(this.error,"error",p`<button class="button" type="button" @click=${this.loadAssistants}>
          ${t("action.again")}
        </button>`);const{ctx:e}=this;if(!this.assistants||!e)return zt(t("status.loading"));if(!this.assistants.length)return p`<div class="card">${Re(t("status.no_assistant"))}</div>`;if(this.missing.has(nt(s)))return it(t("status.outdated"),"warning",p`<button class="button" type="button" @click=${()=>window.location.reload()}>
          ${t("action.reload")}
        </button>`);if(!this.ready.has(nt(s)))return zt(t("status.loading"));if(s.turn)return p`<bb-turn .ctx=${e} turn_id=${s.turn}></bb-turn>`;switch(s.view){case"turns":return p`<bb-turns .ctx=${e}></bb-turns>`;case"try":return p`<bb-try .ctx=${e}></bb-try>`;case"evaluation":return p`<bb-evaluation .ctx=${e}></bb-evaluation>`;case"learned":return p`<bb-learned .ctx=${e}></bb-learned>`;case"agents":return p`<bb-agents .ctx=${e}></bb-agents>`;case"policies":return p`<bb-policies .ctx=${e}></bb-policies>`;case"health":return p`<bb-health .ctx=${e}></bb-health>`}}get place(){return Ve(this.route?.path??"")}makeContext(s){const{localize:t,assistants:e}=this,r=e?.find(n=>n.id===this.chosen)??e?.[0];if(!t||!e||!r)return null;const i=s.locale??{language:s.language};return{hass:()=>this.hass,api:this.api,t:t.text,label:t.label,language:t.language,format:new Ie({...i,language:i.language||s.language},s.config?.time_zone),feed:this.feed,assistants:e,assistant:r,users:this.users,memory:this.memory,choose:this.choose,navigate:this.navigate,address:this.address,notify:this.notify}}connect(s){this.connection!==s&&(this.disconnect(),this.connection=s,s.addEventListener("ready",this.loadAssistants),this.feed.start(s),this.loadAssistants(),this.loadUsers())}disconnect(){this.connection?.removeEventListener("ready",this.loadAssistants),this.connection=null,window.clearTimeout(this.retry),this.feed.stop()}async loadUsers(){try{this.users=await this.api.users()}catch{this.users=[]}}async loadWords(s){try{this.localize=await Be(s),this.error=null}catch(t){this.error=J(t)}}async loadView(){const s=nt(this.place);if(!(this.ready.has(s)||this.missing.has(s)))try{await es[s](),this.ready=new Set(this.ready).add(s)}catch(t){console.warn("Bellboard: a part of the page could not be loaded",t),this.missing=new Set(this.missing).add(s)}}};y.styles=[bt,Le,B`
      :host {
        min-block-size: 100vh;
        background: var(--bb-page);
        container: page / inline-size;
      }
      header {
        position: sticky;
        inset-block-start: 0;
        z-index: 4;
      }
      .toolbar {
        display: flex;
        align-items: center;
        gap: 8px;
        min-block-size: var(--header-height, 56px);
        padding: var(--safe-area-inset-top, 0) 16px 0;
        background: var(--app-header-background-color, var(--bb-accent));
        color: var(--app-header-text-color, var(--text-primary-color, #fff));
      }
      :host([narrow]) .toolbar {
        padding-inline-start: 4px;
      }
      h1 {
        margin: 0;
        font-size: var(--ha-font-size-xl, 20px);
        font-weight: 700;
        line-height: 1.2;
      }
      .toolbar :focus-visible {
        outline-color: currentColor;
      }
      .tabs {
        display: flex;
        overflow-x: auto;
        scrollbar-width: none;
        background: var(--bb-card);
        border-block-end: 1px solid var(--bb-line);
        padding-inline: 8px;
      }
      .tabs::-webkit-scrollbar {
        display: none;
      }
      .tab {
        flex: none;
        min-block-size: 48px;
        padding: 0 14px;
        border: 0;
        border-block-end: 3px solid transparent;
        background: none;
        color: var(--bb-text);
        font-weight: 500;
      }
      .tab[aria-selected="true"] {
        border-block-end-color: var(--bb-accent);
      }
      .tab:focus-visible {
        outline-offset: -3px;
      }
      .tab:hover {
        background: color-mix(in srgb, var(--bb-text) 5%, transparent);
      }
      main {
        max-inline-size: 1100px;
        margin: 0 auto;
        padding: 16px 16px calc(24px + var(--safe-area-inset-bottom, 0px));
      }
      @container page (max-width: 500px) {
        main {
          padding-inline: 8px;
        }
        .tabs {
          padding-inline: 0;
        }
      }
      .lost {
        margin-block-end: 16px;
      }
    `];_([$({attribute:!1,hasChanged:ss})],y.prototype,"hass",2);_([$({type:Boolean,reflect:!0})],y.prototype,"narrow",2);_([$({attribute:!1})],y.prototype,"route",2);_([$({attribute:!1})],y.prototype,"panel",2);_([A()],y.prototype,"localize",2);_([A()],y.prototype,"assistants",2);_([A()],y.prototype,"users",2);_([A()],y.prototype,"chosen",2);_([A()],y.prototype,"error",2);_([A()],y.prototype,"ready",2);_([A()],y.prototype,"missing",2);y=_([V("bellboard-panel")],y);function nt(s){return s.turn?"turn":s.view}const rs={},Ds=tt(class extends et{constructor(){super(...arguments),this.ot=rs}render(s,t){return t()}update(s,[t,e]){if(Array.isArray(t)){if(Array.isArray(this.ot)&&this.ot.length===t.length&&t.every((r,i)=>r===this.ot[i]))return w}else if(this.ot===t)return w;return this.ot=Array.isArray(t)?Array.from(t):t,this.render(t,e)}});const{I:is}=_e,Nt=s=>s,It=()=>document.createComment(""),U=(s,t,e)=>{const r=s._$AA.parentNode,i=t===void 0?s._$AB:t._$AA;if(e===void 0){const n=r.insertBefore(It(),i),o=r.insertBefore(It(),i);e=new is(n,o,s,s.options)}else{const n=e._$AB.nextSibling,o=e._$AM,l=o!==s;if(l){let a;e._$AQ?.(s),e._$AM=s,e._$AP!==void 0&&(a=s._$AU)!==o._$AU&&e._$AP(a)}if(n!==i||l){let a=e._$AA;for(;a!==n;){const b=Nt(a).nextSibling;Nt(r).insertBefore(a,i),a=b}}}return e},k=(s,t,e=s)=>(s._$AI(t,e),s),ns={},os=(s,t=ns)=>s._$AH=t,as=s=>s._$AH,ot=s=>{s._$AR(),s._$AA.remove()};const Ht=(s,t,e)=>{const r=new Map;for(let i=t;i<=e;i++)r.set(s[i],i);return r},ls=tt(class extends et{constructor(s){if(super(s),s.type!==ft.CHILD)throw Error("repeat() can only be used in text expressions")}dt(s,t,e){let r;e===void 0?e=t:t!==void 0&&(r=t);const i=[],n=[];let o=0;for(const l of s)i[o]=r?r(l,o):o,n[o]=e(l,o),o++;return{values:n,keys:i}}render(s,t,e){return this.dt(s,t,e).values}update(s,[t,e,r]){const i=as(s),{values:n,keys:o}=this.dt(t,e,r);if(!Array.isArray(i))return this.ut=o,n;const l=this.ut??=[],a=[];let b,d,c=0,u=i.length-1,h=0,m=n.length-1;for(;c<=u&&h<=m;)if(i[c]===null)c++;else if(i[u]===null)u--;else if(l[c]===o[h])a[h]=k(i[c],n[h]),c++,h++;else if(l[u]===o[m])a[m]=k(i[u],n[m]),u--,m--;else if(l[c]===o[m])a[m]=k(i[c],n[m]),U(s,a[m+1],i[c]),c++,m--;else if(l[u]===o[h])a[h]=k(i[u],n[h]),U(s,i[c],i[u]),u--,h++;else if(b===void 0&&(b=Ht(o,h,m),d=Ht(l,c,u)),b.has(l[c]))if(b.has(l[u])){const v=d.get(o[h]),st=v!==void 0?i[v]:null;if(st===null){const gt=U(s,i[c]);k(gt,n[h]),a[h]=gt}else a[h]=k(st,n[h]),U(s,i[c],st),i[v]=null;h++}else ot(i[u]),u--;else ot(i[c]),c++;for(;h<=m;){const v=U(s,a[m+1]);k(v,n[h]),a[h++]=v}for(;c<=u;){const v=i[c++];v!==null&&ot(v)}return this.ut=o,os(s,a),w}});function Us(s,t){return t?s.hass().areas?.[t]?.name??t:null}function Ns(s,t){return s.format.money(t,s.hass().config?.currency)}function Is(s,t){if(!t)return null;const{user:e}=s.hass();return s.users.find(i=>i.id===t)?.name??(e?.id===t?e.name:t)}function Hs(s,t){const e=s.hass().states[t]?.attributes.friendly_name;return typeof e=="string"&&e?e:t}function js(s,t){return s.assistants.find(e=>e.id===t||e.entity_id===t)?.title??t}function cs({assistants:s,label:t},e){const r=t("agent",e);return r!==e?r:s.find(({agents:i})=>e in i)?.agents[e]??e}function Bs(s,t){return t.map(e=>cs(s,e)).join(", ")}function Vs(s){return Object.values(s.hass().areas??{}).map(t=>({id:t.area_id,name:t.name})).sort((t,e)=>t.name.localeCompare(e.name,s.language))}var hs=Object.defineProperty,ds=(s,t,e,r)=>{for(var i=void 0,n=s.length-1,o;n>=0;n--)(o=s[n])&&(i=o(t,e,i)||i);return i&&hs(t,e,i),i};class L extends P{static{this.styles=[bt]}}ds([$({attribute:!1})],L.prototype,"ctx");class Fs extends L{constructor(){super(...arguments),this.shownAssistant=""}willUpdate(t){!t.has("ctx")||this.ctx.assistant.id===this.shownAssistant||(this.shownAssistant=this.ctx.assistant.id,this.prepare())}}class Ws{constructor(t){this.host=t,this.error=null,this.isLoading=!1,this.run=0,t.addController(this)}hostDisconnected(){this.run++}async load(t){const e=++this.run;this.isLoading=!0,this.error=null,this.host.requestUpdate();try{const r=await t();return e!==this.run?void 0:(this.data=r,r)}catch(r){e===this.run&&(this.error=J(r));return}finally{e===this.run&&(this.isLoading=!1,this.host.requestUpdate())}}clear(){this.run++,this.data=void 0,this.error=null,this.isLoading=!1,this.host.requestUpdate()}}function Qt(s){return s.target.value}function us(s){return s.target.checked}const qs=tt(class extends et{constructor(s){if(super(s),s.type!==ft.ATTRIBUTE||s.name!=="class"||s.strings?.length>2)throw Error("`classMap()` can only be used in the `class` attribute and must be the only part in the attribute.")}render(s){return" "+Object.keys(s).filter(t=>s[t]).join(" ")+" "}update(s,[t]){if(this.st===void 0){this.st=new Set,s.strings!==void 0&&(this.nt=new Set(s.strings.join(" ").split(/\s/).filter(r=>r!=="")));for(const r in t)t[r]&&!this.nt?.has(r)&&this.st.add(r);return this.render(t)}const e=s.element.classList;for(const r of this.st)r in t||(e.remove(r),this.st.delete(r));for(const r in t){const i=!!t[r];i===this.st.has(r)||this.nt?.has(r)||(i?(e.add(r),this.st.add(r)):(e.remove(r),this.st.delete(r)))}return w}});async function ps(s,t){if(navigator.clipboard&&window.isSecureContext)try{return await navigator.clipboard.writeText(s),!0}catch{}const e=document.createElement("textarea");e.value=s,e.style.cssText="position:fixed;inset-block-start:0;opacity:0",e.setAttribute("aria-hidden","true"),t.append(e),e.select();const r=document.execCommand("copy");return e.remove(),r}function Zs(s,t,e){const r=document.createElement("a"),i=URL.createObjectURL(new Blob([t],{type:e}));r.href=i,r.download=s,r.click(),setTimeout(()=>URL.revokeObjectURL(i),1e4)}var fs=Object.defineProperty,bs=Object.getOwnPropertyDescriptor,Xt=(s,t,e,r)=>{for(var i=r>1?void 0:r?bs(t,e):t,n=s.length-1,o;n>=0;n--)(o=s[n])&&(i=(r?o(t,e,i):o(i))||i);return r&&i&&fs(t,e,i),i};let at=class extends L{constructor(){super(...arguments),this.text=""}render(){return p`<button
      type="button"
      class="icon-button"
      aria-label=${this.ctx.t("action.copy")}
      title=${this.ctx.t("action.copy")}
      data-test="copy"
      @click=${this.copy}
    >
      ${X("copy",18)}
    </button>`}async copy(){const s=await ps(this.text,this.renderRoot);this.ctx.notify(this.ctx.t(s?"action.copied":"action.not_copied"))}};Xt([$({attribute:!1})],at.prototype,"text",2);at=Xt([V("bb-copy")],at);var ms=Object.defineProperty,gs=Object.getOwnPropertyDescriptor,F=(s,t,e,r)=>{for(var i=r>1?void 0:r?gs(t,e):t,n=s.length-1,o;n>=0;n--)(o=s[n])&&(i=(r?o(t,e,i):o(i))||i);return r&&i&&ms(t,e,i),i};const vs=60;let O=class extends L{constructor(){super(...arguments),this.devices=[],this.chosen=[],this.together=!1,this.sought=""}render(){const{t:s}=this.ctx,t=K(this.sought).split(/\s+/).filter(Boolean),e=this.together?this.chosen[0]?.split(".")[0]:void 0,r=o=>this.chosen.includes(o.entity_id),i=this.devices.filter(o=>{const l=K(`${o.name} ${o.area??""} ${o.entity_id}`);return r(o)||(!e||o.entity_id.startsWith(`${e}.`))&&t.every(a=>l.includes(a))}),n=i.filter((o,l)=>l<vs||r(o));return p`<fieldset>
      <legend>${s("devices.title")}</legend>
      <input
        type="search"
        .value=${this.sought}
        placeholder=${s("devices.search")}
        aria-label=${s("devices.search")}
        data-test="devices-search"
        @input=${o=>this.sought=Qt(o)}
      />
      <div class="devices">
        ${ls(n,o=>o.entity_id,o=>p`<label class="check" data-test="device">
            <input
              type="checkbox"
              value=${o.entity_id}
              .checked=${r(o)}
              @change=${l=>this.choose(o.entity_id,us(l))}
            />
            <span class="name">
              <span>${o.name}</span>
              <span class="small muted">
                ${o.area?`${o.area} · `:f}${o.entity_id}
              </span>
            </span>
          </label>`)}
        ${n.length?f:p`<p class="muted">${s("devices.none")}</p>`}
        ${i.length>n.length?p`<p class="muted small">
              ${s("devices.more",{count:i.length-n.length})}
            </p>`:f}
      </div>
    </fieldset>`}choose(s,t){const e=this.chosen.filter(i=>i!==s),r=t?[...e,s]:e;this.dispatchEvent(new CustomEvent("chosen",{detail:r}))}};O.styles=[...L.styles,B`
      .devices {
        max-block-size: 220px;
        overflow: auto;
        border: 1px solid var(--bb-line);
        border-radius: 8px;
        padding: 4px 12px;
        margin-block-start: 8px;
        scrollbar-width: thin;
      }
      .check {
        inline-size: 100%;
        padding-block: 4px;
      }
      .name {
        display: grid;
        min-inline-size: 0;
        overflow-wrap: anywhere;
      }
    `];F([$({attribute:!1})],O.prototype,"devices",2);F([$({attribute:!1})],O.prototype,"chosen",2);F([$({type:Boolean})],O.prototype,"together",2);F([A()],O.prototype,"sought",2);O=F([V("bb-devices")],O);var ys=Object.defineProperty,$s=Object.getOwnPropertyDescriptor,W=(s,t,e,r)=>{for(var i=r>1?void 0:r?$s(t,e):t,n=s.length-1,o;n>=0;n--)(o=s[n])&&(i=(r?o(t,e,i):o(i))||i);return r&&i&&ys(t,e,i),i};let T=class extends P{constructor(){super(...arguments),this.open=!1,this.heading="",this.closing="",this.opener=null}updated(s){s.has("open")&&(this.open&&!this.dialog.open?(this.opener=_s(),this.dialog.showModal()):!this.open&&this.dialog.open&&this.dialog.close())}render(){return p`<dialog
      aria-labelledby="heading"
      @close=${this.closed}
      @click=${this.clicked}
      data-test="dialog"
    >
      <div class="head">
        <h2 id="heading">${this.heading}</h2>
        <button
          class="icon-button"
          type="button"
          aria-label=${this.closing}
          data-test="dialog-close"
          @click=${()=>this.dialog.close()}
        >
          ${X("close",24)}
        </button>
      </div>
      <div class="content"><slot></slot></div>
      <div class="foot"><slot name="actions"></slot></div>
    </dialog>`}closed(s){s.stopPropagation(),this.open=!1;const{opener:t}=this;this.opener=null,t?.isConnected&&t.focus({preventScroll:!0}),this.dispatchEvent(new CustomEvent("closed"))}clicked(s){if(s.target!==this.dialog)return;const{left:t,right:e,top:r,bottom:i}=this.dialog.getBoundingClientRect(),{clientX:n,clientY:o}=s;(n<t||n>e||o<r||o>i)&&this.dialog.close()}};T.styles=[bt,B`
      dialog {
        color: var(--bb-text);
        background: var(--bb-card);
        border: 1px solid var(--bb-line);
        border-radius: var(--ha-dialog-border-radius, 24px);
        padding: 0;
        inline-size: min(640px, calc(100vw - 32px));
        max-block-size: calc(100dvh - 48px);
        overflow: hidden;
      }
      dialog[open] {
        display: flex;
        flex-direction: column;
      }
      dialog::backdrop {
        background: #0008;
      }
      .head {
        display: flex;
        align-items: center;
        gap: 8px;
        padding: 12px 12px 8px 24px;
      }
      .head h2 {
        flex: 1;
        margin: 0;
      }
      .content {
        padding: 8px 24px 16px;
        overflow: auto;
        flex: 1;
        min-block-size: 0;
      }
      .foot {
        display: flex;
        flex-wrap: wrap;
        justify-content: flex-end;
        gap: 8px;
        padding: 8px 24px 16px;
      }
      @media (max-width: 500px) {
        dialog {
          inline-size: 100vw;
          max-inline-size: 100vw;
          block-size: 100dvh;
          max-block-size: 100dvh;
          border: 0;
          border-radius: 0;
          margin: 0;
        }
        .head {
          padding-inline-start: 16px;
        }
        .content,
        .foot {
          padding-inline: 16px;
        }
        :host([small]) dialog {
          inline-size: calc(100vw - 32px);
          block-size: auto;
          margin: auto;
          border-radius: 24px;
        }
      }
    `];W([$({type:Boolean})],T.prototype,"open",2);W([$()],T.prototype,"heading",2);W([$()],T.prototype,"closing",2);W([Pe("dialog")],T.prototype,"dialog",2);T=W([V("bb-dialog")],T);function _s(){let s=document.activeElement;for(;s?.shadowRoot?.activeElement;)s=s.shadowRoot.activeElement;return s instanceof HTMLElement?s:null}var ws=Object.getOwnPropertyDescriptor,xs=(s,t,e,r)=>{for(var i=r>1?void 0:r?ws(t,e):t,n=s.length-1,o;n>=0;n--)(o=s[n])&&(i=o(i)||i);return i};let jt=class extends L{updated(){this.hidden=this.ctx.assistants.length<2}render(){const{t:s,assistants:t,assistant:e,choose:r}=this.ctx;return t.length<2?f:p`<label class="field">
      <span>${s("label.assistant")}</span>
      <select data-test="assistant" @change=${i=>r(Qt(i))}>
        ${t.map(i=>p`<option value=${i.id} ?selected=${i.id===e.id}>
            ${i.title}
          </option>`)}
      </select>
    </label>`}};jt=xs([V("bb-assistant")],jt);export{Fs as A,L as B,Ns as C,Ds as D,Ms as E,Vs as F,$ as G,zs as H,Os as I,fe as J,qs as K,Ws as L,ps as M,Je as N,Zs as O,Ge as P,f as a,it as b,p as c,Ps as d,Re as e,Bs as f,B as g,V as h,X as i,Hs as j,cs as k,zt as l,Us as m,js as n,Tt as o,Ts as p,Rs as q,A as r,ls as s,Cs as t,Is as u,Qt as v,J as w,Ls as x,us as y,Ye as z};
/**
 * @license
 * Copyright 2019 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */
/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */
/**
 * @license
 * Copyright 2018 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */
/**
 * @license
 * Copyright 2020 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */
