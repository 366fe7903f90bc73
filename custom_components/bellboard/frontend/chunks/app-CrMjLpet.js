const te=(function(){const t=typeof document<"u"&&document.createElement("link").relList;return t&&t.supports&&t.supports("modulepreload")?"modulepreload":"preload"})(),ee=function(e,t){return new URL(e,t).href},gt={},g=function(t,s,r){let i=Promise.resolve();if(s&&s.length>0){let b=function(d){return Promise.all(d.map(c=>Promise.resolve(c).then(u=>({status:"fulfilled",value:u}),u=>({status:"rejected",reason:u}))))};const o=document.getElementsByTagName("link"),l=document.querySelector("meta[property=csp-nonce]"),a=l?.nonce||l?.getAttribute("nonce");i=b(s.map(d=>{if(d=ee(d,r),d in gt)return;gt[d]=!0;const c=d.endsWith(".css"),u=c?'[rel="stylesheet"]':"";if(r)for(let m=o.length-1;m>=0;m--){const v=o[m];if(v.href===d&&(!c||v.rel==="stylesheet"))return}else if(document.querySelector(`link[href="${d}"]${u}`))return;const h=document.createElement("link");if(h.rel=c?"stylesheet":te,c||(h.as="script"),h.crossOrigin="",h.href=d,a&&h.setAttribute("nonce",a),document.head.appendChild(h),c)return new Promise((m,v)=>{h.addEventListener("load",m),h.addEventListener("error",()=>v(new Error(`Unable to preload CSS for ${d}`)))})}))}function n(o){const l=new Event("vite:preloadError",{cancelable:!0});if(l.payload=o,window.dispatchEvent(l),!l.defaultPrevented)throw o}return i.then(o=>{for(const l of o||[])l.status==="rejected"&&n(l.reason);return t().catch(n)})};const q=globalThis,lt=q.ShadowRoot&&(q.ShadyCSS===void 0||q.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,ct=Symbol(),vt=new WeakMap;let jt=class{constructor(t,s,r){if(this._$cssResult$=!0,r!==ct)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=t,this.t=s}get styleSheet(){let t=this.o;const s=this.t;if(lt&&t===void 0){const r=s!==void 0&&s.length===1;r&&(t=vt.get(s)),t===void 0&&((this.o=t=new CSSStyleSheet).replaceSync(this.cssText),r&&vt.set(s,t))}return t}toString(){return this.cssText}};const se=e=>new jt(typeof e=="string"?e:e+"",void 0,ct),B=(e,...t)=>{const s=e.length===1?e[0]:t.reduce((r,i,n)=>r+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(i)+e[n+1],e[0]);return new jt(s,e,ct)},re=(e,t)=>{if(lt)e.adoptedStyleSheets=t.map(s=>s instanceof CSSStyleSheet?s:s.styleSheet);else for(const s of t){const r=document.createElement("style"),i=q.litNonce;i!==void 0&&r.setAttribute("nonce",i),r.textContent=s.cssText,e.appendChild(r)}},yt=lt?e=>e:e=>e instanceof CSSStyleSheet?(t=>{let s="";for(const r of t.cssRules)s+=r.cssText;return se(s)})(e):e;const{is:ie,defineProperty:ne,getOwnPropertyDescriptor:oe,getOwnPropertyNames:ae,getOwnPropertySymbols:le,getPrototypeOf:ce}=Object,Y=globalThis,$t=Y.trustedTypes,he=$t?$t.emptyScript:"",de=Y.reactiveElementPolyfillSupport,N=(e,t)=>e,Z={toAttribute(e,t){switch(t){case Boolean:e=e?he:null;break;case Object:case Array:e=e==null?e:JSON.stringify(e)}return e},fromAttribute(e,t){let s=e;switch(t){case Boolean:s=e!==null;break;case Number:s=e===null?null:Number(e);break;case Object:case Array:try{s=JSON.parse(e)}catch{s=null}}return s}},ht=(e,t)=>!ie(e,t),_t={attribute:!0,type:String,converter:Z,reflect:!1,useDefault:!1,hasChanged:ht};Symbol.metadata??=Symbol("metadata"),Y.litPropertyMetadata??=new WeakMap;let z=class extends HTMLElement{static addInitializer(t){this._$Ei(),(this.l??=[]).push(t)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(t,s=_t){if(s.state&&(s.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(t)&&((s=Object.create(s)).wrapped=!0),this.elementProperties.set(t,s),!s.noAccessor){const r=Symbol(),i=this.getPropertyDescriptor(t,r,s);i!==void 0&&ne(this.prototype,t,i)}}static getPropertyDescriptor(t,s,r){const{get:i,set:n}=oe(this.prototype,t)??{get(){return this[s]},set(o){this[s]=o}};return{get:i,set(o){const l=i?.call(this);n?.call(this,o),this.requestUpdate(t,l,r)},configurable:!0,enumerable:!0}}static getPropertyOptions(t){return this.elementProperties.get(t)??_t}static _$Ei(){if(this.hasOwnProperty(N("elementProperties")))return;const t=ce(this);t.finalize(),t.l!==void 0&&(this.l=[...t.l]),this.elementProperties=new Map(t.elementProperties)}static finalize(){if(this.hasOwnProperty(N("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(N("properties"))){const s=this.properties,r=[...ae(s),...le(s)];for(const i of r)this.createProperty(i,s[i])}const t=this[Symbol.metadata];if(t!==null){const s=litPropertyMetadata.get(t);if(s!==void 0)for(const[r,i]of s)this.elementProperties.set(r,i)}this._$Eh=new Map;for(const[s,r]of this.elementProperties){const i=this._$Eu(s,r);i!==void 0&&this._$Eh.set(i,s)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(t){const s=[];if(Array.isArray(t)){const r=new Set(t.flat(1/0).reverse());for(const i of r)s.unshift(yt(i))}else t!==void 0&&s.push(yt(t));return s}static _$Eu(t,s){const r=s.attribute;return r===!1?void 0:typeof r=="string"?r:typeof t=="string"?t.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(t=>this.enableUpdating=t),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(t=>t(this))}addController(t){(this._$EO??=new Set).add(t),this.renderRoot!==void 0&&this.isConnected&&t.hostConnected?.()}removeController(t){this._$EO?.delete(t)}_$E_(){const t=new Map,s=this.constructor.elementProperties;for(const r of s.keys())this.hasOwnProperty(r)&&(t.set(r,this[r]),delete this[r]);t.size>0&&(this._$Ep=t)}createRenderRoot(){const t=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return re(t,this.constructor.elementStyles),t}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(t=>t.hostConnected?.())}enableUpdating(t){}disconnectedCallback(){this._$EO?.forEach(t=>t.hostDisconnected?.())}attributeChangedCallback(t,s,r){this._$AK(t,r)}_$ET(t,s){const r=this.constructor.elementProperties.get(t),i=this.constructor._$Eu(t,r);if(i!==void 0&&r.reflect===!0){const n=(r.converter?.toAttribute!==void 0?r.converter:Z).toAttribute(s,r.type);this._$Em=t,n==null?this.removeAttribute(i):this.setAttribute(i,n),this._$Em=null}}_$AK(t,s){const r=this.constructor,i=r._$Eh.get(t);if(i!==void 0&&this._$Em!==i){const n=r.getPropertyOptions(i),o=typeof n.converter=="function"?{fromAttribute:n.converter}:n.converter?.fromAttribute!==void 0?n.converter:Z;this._$Em=i;const l=o.fromAttribute(s,n.type);this[i]=l??this._$Ej?.get(i)??l,this._$Em=null}}requestUpdate(t,s,r,i=!1,n){if(t!==void 0){const o=this.constructor;if(i===!1&&(n=this[t]),r??=o.getPropertyOptions(t),!((r.hasChanged??ht)(n,s)||r.useDefault&&r.reflect&&n===this._$Ej?.get(t)&&!this.hasAttribute(o._$Eu(t,r))))return;this.C(t,s,r)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(t,s,{useDefault:r,reflect:i,wrapped:n},o){r&&!(this._$Ej??=new Map).has(t)&&(this._$Ej.set(t,o??s??this[t]),n!==!0||o!==void 0)||(this._$AL.has(t)||(this.hasUpdated||r||(s=void 0),this._$AL.set(t,s)),i===!0&&this._$Em!==t&&(this._$Eq??=new Set).add(t))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(s){Promise.reject(s)}const t=this.scheduleUpdate();return t!=null&&await t,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(const[i,n]of this._$Ep)this[i]=n;this._$Ep=void 0}const r=this.constructor.elementProperties;if(r.size>0)for(const[i,n]of r){const{wrapped:o}=n,l=this[i];o!==!0||this._$AL.has(i)||l===void 0||this.C(i,void 0,n,l)}}let t=!1;const s=this._$AL;try{t=this.shouldUpdate(s),t?(this.willUpdate(s),this._$EO?.forEach(r=>r.hostUpdate?.()),this.update(s)):this._$EM()}catch(r){throw t=!1,this._$EM(),r}t&&this._$AE(s)}willUpdate(t){}_$AE(t){this._$EO?.forEach(s=>s.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(t)),this.updated(t)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(t){return!0}update(t){this._$Eq&&=this._$Eq.forEach(s=>this._$ET(s,this[s])),this._$EM()}updated(t){}firstUpdated(t){}};z.elementStyles=[],z.shadowRootOptions={mode:"open"},z[N("elementProperties")]=new Map,z[N("finalized")]=new Map,de?.({ReactiveElement:z}),(Y.reactiveElementVersions??=[]).push("2.1.2");const dt=globalThis,wt=e=>e,G=dt.trustedTypes,xt=G?G.createPolicy("lit-html",{createHTML:e=>e}):void 0,Bt="$lit$",x=`lit$${Math.random().toFixed(9).slice(2)}$`,Vt="?"+x,ue=`<${Vt}>`,P=document,I=()=>P.createComment(""),H=e=>e===null||typeof e!="object"&&typeof e!="function",ut=Array.isArray,pe=e=>ut(e)||typeof e?.[Symbol.iterator]=="function",rt=`[ 	
\f\r]`,D=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,At=/-->/g,Et=/>/g,E=RegExp(`>|${rt}(?:([^\\s"'>=/]+)(${rt}*=${rt}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),kt=/'/g,St=/"/g,Ft=/^(?:script|style|textarea|title)$/i,Wt=e=>(t,...s)=>({_$litType$:e,strings:t,values:s}),p=Wt(1),fe=Wt(2),w=Symbol.for("lit-noChange"),f=Symbol.for("lit-nothing"),Ct=new WeakMap,S=P.createTreeWalker(P,129);function qt(e,t){if(!ut(e)||!e.hasOwnProperty("raw"))throw Error("invalid template strings array");return xt!==void 0?xt.createHTML(t):t}const be=(e,t)=>{const s=e.length-1,r=[];let i,n=t===2?"<svg>":t===3?"<math>":"",o=D;for(let l=0;l<s;l++){const a=e[l];let b,d,c=-1,u=0;for(;u<a.length&&(o.lastIndex=u,d=o.exec(a),d!==null);)u=o.lastIndex,o===D?d[1]==="!--"?o=At:d[1]!==void 0?o=Et:d[2]!==void 0?(Ft.test(d[2])&&(i=RegExp("</"+d[2],"g")),o=E):d[3]!==void 0&&(o=E):o===E?d[0]===">"?(o=i??D,c=-1):d[1]===void 0?c=-2:(c=o.lastIndex-d[2].length,b=d[1],o=d[3]===void 0?E:d[3]==='"'?St:kt):o===St||o===kt?o=E:o===At||o===Et?o=D:(o=E,i=void 0);const h=o===E&&e[l+1].startsWith("/>")?" ":"";n+=o===D?a+ue:c>=0?(r.push(b),a.slice(0,c)+Bt+a.slice(c)+x+h):a+x+(c===-2?l:h)}return[qt(e,n+(e[s]||"<?>")+(t===2?"</svg>":t===3?"</math>":"")),r]};class j{constructor({strings:t,_$litType$:s},r){let i;this.parts=[];let n=0,o=0;const l=t.length-1,a=this.parts,[b,d]=be(t,s);if(this.el=j.createElement(b,r),S.currentNode=this.el.content,s===2||s===3){const c=this.el.content.firstChild;c.replaceWith(...c.childNodes)}for(;(i=S.nextNode())!==null&&a.length<l;){if(i.nodeType===1){if(i.hasAttributes())for(const c of i.getAttributeNames())if(c.endsWith(Bt)){const u=d[o++],h=i.getAttribute(c).split(x),m=/([.?@])?(.*)/.exec(u);a.push({type:1,index:n,name:m[2],strings:h,ctor:m[1]==="."?ge:m[1]==="?"?ve:m[1]==="@"?ye:Q}),i.removeAttribute(c)}else c.startsWith(x)&&(a.push({type:6,index:n}),i.removeAttribute(c));if(Ft.test(i.tagName)){const c=i.textContent.split(x),u=c.length-1;if(u>0){i.textContent=G?G.emptyScript:"";for(let h=0;h<u;h++)i.append(c[h],I()),S.nextNode(),a.push({type:2,index:++n});i.append(c[u],I())}}}else if(i.nodeType===8)if(i.data===Vt)a.push({type:2,index:n});else{let c=-1;for(;(c=i.data.indexOf(x,c+1))!==-1;)a.push({type:7,index:n}),c+=x.length-1}n++}}static createElement(t,s){const r=P.createElement("template");return r.innerHTML=t,r}}function M(e,t,s=e,r){if(t===w)return t;let i=r!==void 0?s._$Co?.[r]:s._$Cl;const n=H(t)?void 0:t._$litDirective$;return i?.constructor!==n&&(i?._$AO?.(!1),n===void 0?i=void 0:(i=new n(e),i._$AT(e,s,r)),r!==void 0?(s._$Co??=[])[r]=i:s._$Cl=i),i!==void 0&&(t=M(e,i._$AS(e,t.values),i,r)),t}class me{constructor(t,s){this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=s}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(t){const{el:{content:s},parts:r}=this._$AD,i=(t?.creationScope??P).importNode(s,!0);S.currentNode=i;let n=S.nextNode(),o=0,l=0,a=r[0];for(;a!==void 0;){if(o===a.index){let b;a.type===2?b=new R(n,n.nextSibling,this,t):a.type===1?b=new a.ctor(n,a.name,a.strings,this,t):a.type===6&&(b=new $e(n,this,t)),this._$AV.push(b),a=r[++l]}o!==a?.index&&(n=S.nextNode(),o++)}return S.currentNode=P,i}p(t){let s=0;for(const r of this._$AV)r!==void 0&&(r.strings!==void 0?(r._$AI(t,r,s),s+=r.strings.length-2):r._$AI(t[s])),s++}}class R{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(t,s,r,i){this.type=2,this._$AH=f,this._$AN=void 0,this._$AA=t,this._$AB=s,this._$AM=r,this.options=i,this._$Cv=i?.isConnected??!0}get parentNode(){let t=this._$AA.parentNode;const s=this._$AM;return s!==void 0&&t?.nodeType===11&&(t=s.parentNode),t}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(t,s=this){t=M(this,t,s),H(t)?t===f||t==null||t===""?(this._$AH!==f&&this._$AR(),this._$AH=f):t!==this._$AH&&t!==w&&this._(t):t._$litType$!==void 0?this.$(t):t.nodeType!==void 0?this.T(t):pe(t)?this.k(t):this._(t)}O(t){return this._$AA.parentNode.insertBefore(t,this._$AB)}T(t){this._$AH!==t&&(this._$AR(),this._$AH=this.O(t))}_(t){this._$AH!==f&&H(this._$AH)?this._$AA.nextSibling.data=t:this.T(P.createTextNode(t)),this._$AH=t}$(t){const{values:s,_$litType$:r}=t,i=typeof r=="number"?this._$AC(t):(r.el===void 0&&(r.el=j.createElement(qt(r.h,r.h[0]),this.options)),r);if(this._$AH?._$AD===i)this._$AH.p(s);else{const n=new me(i,this),o=n.u(this.options);n.p(s),this.T(o),this._$AH=n}}_$AC(t){let s=Ct.get(t.strings);return s===void 0&&Ct.set(t.strings,s=new j(t)),s}k(t){ut(this._$AH)||(this._$AH=[],this._$AR());const s=this._$AH;let r,i=0;for(const n of t)i===s.length?s.push(r=new R(this.O(I()),this.O(I()),this,this.options)):r=s[i],r._$AI(n),i++;i<s.length&&(this._$AR(r&&r._$AB.nextSibling,i),s.length=i)}_$AR(t=this._$AA.nextSibling,s){for(this._$AP?.(!1,!0,s);t!==this._$AB;){const r=wt(t).nextSibling;wt(t).remove(),t=r}}setConnected(t){this._$AM===void 0&&(this._$Cv=t,this._$AP?.(t))}}class Q{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(t,s,r,i,n){this.type=1,this._$AH=f,this._$AN=void 0,this.element=t,this.name=s,this._$AM=i,this.options=n,r.length>2||r[0]!==""||r[1]!==""?(this._$AH=Array(r.length-1).fill(new String),this.strings=r):this._$AH=f}_$AI(t,s=this,r,i){const n=this.strings;let o=!1;if(n===void 0)t=M(this,t,s,0),o=!H(t)||t!==this._$AH&&t!==w,o&&(this._$AH=t);else{const l=t;let a,b;for(t=n[0],a=0;a<n.length-1;a++)b=M(this,l[r+a],s,a),b===w&&(b=this._$AH[a]),o||=!H(b)||b!==this._$AH[a],b===f?t=f:t!==f&&(t+=(b??"")+n[a+1]),this._$AH[a]=b}o&&!i&&this.j(t)}j(t){t===f?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,t??"")}}class ge extends Q{constructor(){super(...arguments),this.type=3}j(t){this.element[this.name]=t===f?void 0:t}}class ve extends Q{constructor(){super(...arguments),this.type=4}j(t){this.element.toggleAttribute(this.name,!!t&&t!==f)}}class ye extends Q{constructor(t,s,r,i,n){super(t,s,r,i,n),this.type=5}_$AI(t,s=this){if((t=M(this,t,s,0)??f)===w)return;const r=this._$AH,i=t===f&&r!==f||t.capture!==r.capture||t.once!==r.once||t.passive!==r.passive,n=t!==f&&(r===f||i);i&&this.element.removeEventListener(this.name,this,r),n&&this.element.addEventListener(this.name,this,t),this._$AH=t}handleEvent(t){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)}}class $e{constructor(t,s,r){this.element=t,this.type=6,this._$AN=void 0,this._$AM=s,this.options=r}get _$AU(){return this._$AM._$AU}_$AI(t){M(this,t)}}const _e={I:R},we=dt.litHtmlPolyfillSupport;we?.(j,R),(dt.litHtmlVersions??=[]).push("3.3.3");const xe=(e,t,s)=>{const r=s?.renderBefore??t;let i=r._$litPart$;if(i===void 0){const n=s?.renderBefore??null;r._$litPart$=i=new R(t.insertBefore(I(),n),n,void 0,s??{})}return i._$AI(e),i};const pt=globalThis;let C=class extends z{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){const t=super.createRenderRoot();return this.renderOptions.renderBefore??=t.firstChild,t}update(t){const s=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(t),this._$Do=xe(s,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return w}};C._$litElement$=!0,C.finalized=!0,pt.litElementHydrateSupport?.({LitElement:C});const Ae=pt.litElementPolyfillSupport;Ae?.({LitElement:C});(pt.litElementVersions??=[]).push("4.2.2");const V=e=>(t,s)=>{s!==void 0?s.addInitializer(()=>{customElements.define(e,t)}):customElements.define(e,t)};const Ee={attribute:!0,type:String,converter:Z,reflect:!1,hasChanged:ht},ke=(e=Ee,t,s)=>{const{kind:r,metadata:i}=s;let n=globalThis.litPropertyMetadata.get(i);if(n===void 0&&globalThis.litPropertyMetadata.set(i,n=new Map),r==="setter"&&((e=Object.create(e)).wrapped=!0),n.set(s.name,e),r==="accessor"){const{name:o}=s;return{set(l){const a=t.get.call(this);t.set.call(this,l),this.requestUpdate(o,a,e,!0,l)},init(l){return l!==void 0&&this.C(o,void 0,e,l),l}}}if(r==="setter"){const{name:o}=s;return function(l){const a=this[o];t.call(this,l),this.requestUpdate(o,a,e,!0,l)}}throw Error("Unsupported decorator location: "+r)};function $(e){return(t,s)=>typeof s=="object"?ke(e,t,s):((r,i,n)=>{const o=i.hasOwnProperty(n);return i.constructor.createProperty(n,r),o?Object.getOwnPropertyDescriptor(i,n):void 0})(e,t,s)}function A(e){return $({...e,state:!0,attribute:!1})}const Se=(e,t,s)=>(s.configurable=!0,s.enumerable=!0,Reflect.decorate&&typeof t!="object"&&Object.defineProperty(e,t,s),s);function Ce(e,t){return(s,r,i)=>{const n=o=>o.renderRoot?.querySelector(e)??null;return Se(s,r,{get(){return n(this)}})}}const Pt="bellboard/panel/";class Pe{constructor(t){this.hass=t}async assistants(){return(await this.ask("assistants")).assistants}watchTurns(t){return this.watch("turns",{},t)}turn(t){return this.ask("turn",{turn_id:t})}read(t){return this.ask("read",{...t})}try(t,s={}){return this.ask("try",{...t,...s})}say(t,s,r,i){return this.hass().callWS({type:"conversation/process",text:t,language:r,agent_id:s,...i?{device_id:i}:{}})}choices(t){return this.ask("choices",{assistant:t})}mark(t){return this.ask("correct/mark",{turn_id:t})}learn(t,s){return this.ask("correct/learn",{turn_id:t,...s})}addAlias(t,s,r){return this.ask("correct/alias",{turn_id:t,entity_id:s,alias:r})}addCase(t,s){return this.ask("correct/case",{turn_id:t,meant:s})}async agents(t){return(await this.ask("agents",{assistant:t})).agents}policies(){return this.ask("policies")}reloadPolicies(){return this.ask("policies/reload")}async tryPolicies(t){return(await this.ask("policies/try",{...t})).verdicts}async health(){return(await this.ask("health")).connections}async planned(t){return(await this.ask("planned",{language:t})).planned}async cancelPlanned(t,s){return(await this.ask("planned/cancel",{assistant:t,planned_id:s})).canceled}evaluation(t,s){return this.ask("evaluation",{assistant:t,path:s})}runEvaluation(t,s,r){return this.watch("evaluation/run",{assistant:t,path:s},r)}async learned(){return(await this.act("learned")).learned}async forgetLearned(t,s){const r={...t?{assistant:t}:{},...s?{text:s}:{}};return(await this.act("forget_learned",r)).forgotten}async habits(){return(await this.act("habits")).habits}async clearHabits(){await this.act("clear_habits")}async users(){return(await this.hass().callWS({type:"config/auth/list"})).filter(s=>!s.system_generated&&s.is_active!==!1)}ask(t,s={}){return this.hass().callWS({type:Pt+t,...s})}watch(t,s,r){return this.hass().connection.subscribeMessage(r,{type:Pt+t,...s},{resubscribe:!1})}async act(t,s={}){const{response:r}=await this.hass().callWS({type:"call_service",domain:"bellboard",service:t,service_data:s,return_response:!0});return r}}const Oe={alert:"M12 3 22 20H2ZM12 10v4M12 17v.5",back:"M20 12H5M11 6l-6 6 6 6",check:"M5 13l5 5L20 7",close:"M6 6l12 12M18 6 6 18",copy:"M9 9h11v12H9ZM5 15V3h11",download:"M12 4v11M7 10l5 5 5-5M5 20h14",edit:"M4 20l1-4L16 5l3 3L8 19ZM14 7l3 3",info:"M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18M12 11v5.5M12 7.5v.5",menu:"M4 7h16M4 12h16M4 17h16",play:"M7 4l13 8L7 20Z",refresh:"M20 12a8 8 0 1 1-2.5-5.8L20 8.5M20 4v4.5h-4.5",search:"M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 1 0 0-13M15.5 15.5 21 21",stop:"M6 6h12v12H6Z",trash:"M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13"};function X(e,t=20){return fe`<svg
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
  ><path d=${Oe[e]}></path></svg>`}const ft={ATTRIBUTE:1,CHILD:2},tt=e=>(...t)=>({_$litDirective$:e,values:t});let et=class{constructor(t){}get _$AU(){return this._$AM._$AU}_$AT(t,s,r){this._$Ct=t,this._$AM=s,this._$Ci=r}_$AS(t,s){return this.update(t,s)}update(t,s){return this.render(...s)}};const Zt="important",Te=" !"+Zt,Ot=tt(class extends et{constructor(e){if(super(e),e.type!==ft.ATTRIBUTE||e.name!=="style"||e.strings?.length>2)throw Error("The `styleMap` directive must be used in the `style` attribute and must be the only part in the attribute.")}render(e){return Object.keys(e).reduce((t,s)=>{const r=e[s];return r==null?t:t+`${s=s.includes("-")?s:s.replace(/(?:^(webkit|moz|ms|o)|)(?=[A-Z])/g,"-$&").toLowerCase()}:${r};`},"")}update(e,[t]){const{style:s}=e.element;if(this.ft===void 0)return this.ft=new Set(Object.keys(t)),this.render(t);for(const r of this.ft)t[r]==null&&(this.ft.delete(r),r.includes("-")?s.removeProperty(r):s[r]=null);for(const r in t){const i=t[r];if(i!=null){this.ft.add(r);const n=typeof i=="string"&&i.endsWith(Te);r.includes("-")||n?s.setProperty(r,n?i.slice(0,-11):i,n?Zt:""):s[r]=i}}return w}});function Ss(e,t="neutral",s){return p`<span class="chip ${t}" data-test=${s??f}>${e}</span>`}const ze={completed:"success",failed:"error","input-required":"info",passed:"success",skipped:"warning"};function Cs(e){return ze[e]??"neutral"}const Me={allow:"success",deny:"error",confirm:"warning",clamp:"info"};function Ps(e){return Me[e]??"neutral"}function it(e,t="info",s=f){return p`<div
    class="alert ${t}"
    role=${t==="error"?"alert":"status"}
    data-test="alert-${t}"
  >
    ${X(t==="success"?"check":t==="info"?"info":"alert")}
    <div class="body">${e}</div>
    ${s}
  </div>`}function Os(e,t){const s=r=>`${(Math.min(Math.max(r,0),1)*100).toFixed(2)}%`;return p`<div class="bar" aria-hidden="true">
    <div class="fill" style=${Ot({inlineSize:s(e)})}></div>
    ${t===void 0?f:p`<div class="line" style=${Ot({insetInlineStart:s(t)})}></div>`}
  </div>`}function Re(e){return p`<p class="empty" data-test="empty">${e}</p>`}function Tt(e){return p`<p class="empty" role="status" data-test="loading">${e}</p>`}const Le=B`
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
`,De=182*864e5;function Ue(e){switch(e.number_format){case"comma_decimal":return["en-US","en"];case"decimal_comma":return["de","es","it"];case"space_comma":return["fr","sv","cs"];case"quote_decimal":return["de-CH"];case"system":return;default:return e.language}}function Ne(e){if(e.time_format==="12")return!0;if(e.time_format==="24")return!1}class Ie{constructor(t,s){this.language=t.language,this.locales=Ue(t),this.grouping=t.number_format!=="none";const r=t.time_zone==="server"&&s?{timeZone:s}:{},i=Ne(t),n=i===void 0?{}:{hour12:i},o={hour:"numeric",minute:"2-digit",second:"2-digit"},l={year:"numeric",month:"short",day:"numeric"};this.clock=new Intl.DateTimeFormat(this.language,{...o,...n,...r});const a={hour:"numeric",minute:"2-digit",...n,...r};this.dayAndClock=new Intl.DateTimeFormat(this.language,{...l,...a}),this.nearDayAndClock=new Intl.DateTimeFormat(this.language,{month:"short",day:"numeric",...a}),this.dayOnly=new Intl.DateTimeFormat(this.language,{...l,...r})}number(t,s=0){return new Intl.NumberFormat(this.locales,{maximumFractionDigits:s,useGrouping:this.grouping}).format(t)}money(t,s){return s?new Intl.NumberFormat(this.locales,{style:"currency",currency:s,useGrouping:this.grouping,...t<1?{maximumFractionDigits:8}:{}}).format(t):this.number(t,8)}percent(t){return new Intl.NumberFormat(this.locales,{style:"percent",maximumFractionDigits:0,useGrouping:this.grouping}).format(t)}score(t){return new Intl.NumberFormat(this.locales,{minimumFractionDigits:2,maximumFractionDigits:2}).format(t)}duration(t){if(t==null)return"–";const s=t>=1e3,r=s?t/1e3:t,i=s?r<10?2:1:r<10?1:0;return new Intl.NumberFormat(this.locales,{style:"unit",unit:s?"second":"millisecond",unitDisplay:"short",maximumFractionDigits:i,useGrouping:this.grouping}).format(r)}time(t,s=new Date){const r=zt(t);return Number.isNaN(r.getTime())?String(t):this.dayOnly.format(r)===this.dayOnly.format(s)?this.clock.format(r):(Math.abs(s.getTime()-r.getTime())<De?this.nearDayAndClock:this.dayAndClock).format(r)}moment(t){const s=zt(t);return Number.isNaN(s.getTime())?String(t):this.dayAndClock.format(s)}weekday(t){const s=["mon","tue","wed","thu","fri","sat","sun"].indexOf(t);if(s<0)return t;const r=new Date(Date.UTC(2024,0,1+s));return new Intl.DateTimeFormat(this.language,{weekday:"long",timeZone:"UTC"}).format(r)}list(t){return new Intl.ListFormat(this.language,{type:"conjunction"}).format(t)}languageName(t){try{return new Intl.DisplayNames([this.language],{type:"language"}).of(t)??t}catch{return t}}value(t){return t==null?"–":typeof t=="number"?this.number(t,2):typeof t=="string"?t:JSON.stringify(t)}}function zt(e){return typeof e=="number"?new Date(e*1e3):e instanceof Date?e:new Date(e)}function J(e){if(typeof e=="string")return e;if(e&&typeof e=="object"){const{message:t,code:s,error:r}=e;if(typeof t=="string"&&t)return t;if(typeof r=="string"&&r)return r;if(typeof s=="string"||typeof s=="number")return String(s)}return String(e)}const Gt={de:()=>g(()=>import("./de-lsz7exxc.js"),[],import.meta.url),en:()=>g(()=>import("./en-P2eDZR-_.js"),[],import.meta.url),es:()=>g(()=>import("./es-RqJY4xeq.js"),[],import.meta.url),fr:()=>g(()=>import("./fr-CitlpJWX.js"),[],import.meta.url),it:()=>g(()=>import("./it-AtbWnSp7.js"),[],import.meta.url),nl:()=>g(()=>import("./nl-BsuGssNn.js"),[],import.meta.url),pl:()=>g(()=>import("./pl-CSWNKOX6.js"),[],import.meta.url),pt:()=>g(()=>import("./pt-Cya0uelw.js"),[],import.meta.url),sv:()=>g(()=>import("./sv-BCaRIn8M.js"),[],import.meta.url)};function Jt(e){const t=(e??"en").toLowerCase().split(/[-_]/)[0]??"en";return t in Gt?t:"en"}class He{constructor(t,s){this.language=t,this.words=s,this.text=(r,i={})=>je(this.words[r]??r,i),this.label=(r,i)=>this.words[`${r}.${i.replaceAll("-","_")}`]??i}}function je(e,t){return e.replace(/\{(\w+)\}/g,(s,r)=>r in t?String(t[r]):s)}async function Be(e){const t=Jt(e),s=Gt[t];return new He(t,(await s()).default)}const Kt=["turns","try","evaluation","learned","agents","policies","health"];function Ve(e){const[t="",s=""]=e.split("/").filter(Boolean),r=Kt.find(i=>i===t)??"turns";return{view:r,turn:r==="turns"&&s?We(s):null}}function Fe(e,t){return t?`/${e}/${encodeURIComponent(t)}`:`/${e}`}function We(e){try{return decodeURIComponent(e)}catch{return e}}const Yt=500,Mt=200,qe=5e3;function Rt(e,t){const s=new Map;for(const n of t)s.set(n.id,n);const r=e.map(n=>{const o=s.get(n.id);return s.delete(n.id),o??n});return[...[...s.values()].reverse(),...r].slice(0,Yt)}class Ze{constructor(t){this.api=t,this.lines=[],this.isLoaded=!1,this.error=null,this.pending=[],this.frame=0,this.wait=0,this.shownAt=-Mt,this.retry=0,this.unsubscribe=null,this.connection=null,this.run=0,this.listeners=new Set,this.subscribe=async()=>{const s=++this.run;window.clearTimeout(this.retry),this.drop();try{const r=await this.api.watchTurns(i=>{s===this.run&&this.take(i)});s===this.run?this.unsubscribe=r:await r()}catch(r){if(s!==this.run)return;this.error=J(r),this.retry=window.setTimeout(()=>{this.subscribe()},qe),this.tell()}},this.flush=()=>{this.frame=this.wait=0,this.shownAt=performance.now(),this.lines=Rt(this.lines,this.pending),this.pending=[],this.tell()}}listen(t){return this.listeners.add(t),()=>this.listeners.delete(t)}start(t){this.connection=t,t.addEventListener("ready",this.subscribe),this.subscribe()}stop(){this.run++,window.clearTimeout(this.retry),window.clearTimeout(this.wait),cancelAnimationFrame(this.frame),this.frame=this.wait=0,this.connection?.removeEventListener("ready",this.subscribe),this.drop()}drop(){const t=this.unsubscribe;this.unsubscribe=null,t&&Promise.resolve(t()).catch(()=>{})}take(t){if("turns"in t){this.pending=[],this.lines=Rt([],t.turns),this.isLoaded=!0,this.error=null,this.tell();return}this.pending.push(t.turn),this.pending.length>Yt&&this.pending.shift(),this.wait||=window.setTimeout(()=>this.frame=requestAnimationFrame(this.flush),Math.max(0,this.shownAt+Mt-performance.now()))}tell(){for(const t of[...this.listeners])t()}}const Ge=100,Je={text:"",assistant:"",agent:"",state:"",source:"",only_slow:!1,slow:1,only_corrected:!1},Lt=new WeakMap;function Ke(e){let t=Lt.get(e);return t===void 0&&(t=K([e.utterance,e.reply,e.area??"",...e.agents].join(`
`)),Lt.set(e,t)),t}function K(e){return e.normalize("NFD").replace(/\p{M}/gu,"").toLowerCase()}function Ts(e,t){const s=K(t.text).split(/\s+/).filter(Boolean);return Ye(t)?e.filter(r=>(!t.assistant||r.assistant===t.assistant)&&(!t.agent||r.agents.includes(t.agent))&&(!t.state||r.state===t.state)&&(!t.source||r.sources.includes(t.source))&&(!t.only_slow||r.ms>t.slow*1e3)&&(!t.only_corrected||r.is_corrected)&&s.every(i=>Ke(r).includes(i))):e}function Ye(e){return!!(e.text.trim()||e.assistant||e.agent||e.state)||!!(e.source||e.only_slow||e.only_corrected)}function zs(e,t){return[...new Set(e.flatMap(t))].sort()}var Qe=Object.defineProperty,Xe=Object.getOwnPropertyDescriptor,_=(e,t,s,r)=>{for(var i=r>1?void 0:r?Xe(t,s):t,n=e.length-1,o;n>=0;n--)(o=e[n])&&(i=(r?o(t,s,i):o(i))||i);return r&&i&&Qe(t,s,i),i};const Dt="bellboard-assistant",ts=5e3,es={turns:()=>g(()=>import("./turns-BrBkm_ii.js"),[],import.meta.url),turn:()=>g(()=>import("./turn-CR54NbJl.js"),[],import.meta.url),try:()=>g(()=>import("./try-nZlwUxbF.js"),[],import.meta.url),evaluation:()=>g(()=>import("./evaluation-T0sgLL1m.js"),[],import.meta.url),learned:()=>g(()=>import("./learned-Da3D8ZP_.js"),[],import.meta.url),agents:()=>g(()=>import("./agents-BafBy0CS.js"),[],import.meta.url),policies:()=>g(()=>import("./policies-CDnZKh94.js"),[],import.meta.url),health:()=>g(()=>import("./health-D0bBIYi1.js"),[],import.meta.url)};function ss(e,t){return e?.language!==t?.language||e?.locale!==t?.locale||e?.areas!==t?.areas||e?.user!==t?.user||e?.connected!==t?.connected||e?.dockedSidebar!==t?.dockedSidebar||e?.connection!==t?.connection||e?.services?.bellboard!==t?.services?.bellboard}let y=class extends C{constructor(){super(...arguments),this.narrow=!1,this.localize=null,this.assistants=null,this.users=[],this.chosen=localStorage.getItem(Dt)??"",this.error=null,this.ready=new Set,this.missing=new Set,this.api=new Pe(()=>this.hass),this.feed=new Ze(this.api),this.memory={filter:Je,shown:Ge,scroll:0,last_turn:null,draft:null},this.connection=null,this.ctx=null,this.tabInSight="",this.retry=0,this.loadAssistants=async()=>{window.clearTimeout(this.retry);try{this.assistants=await this.api.assistants(),this.error=null}catch(e){this.assistants?.length||(this.error=J(e))}!this.assistants?.length&&this.connection&&(this.retry=window.setTimeout(()=>{this.loadAssistants()},ts))},this.choose=e=>{this.chosen=e,localStorage.setItem(Dt,e)},this.address=(e,t)=>`${this.route?.prefix??"/bellboard"}${Fe(e,t)}`,this.navigate=(e,t)=>{const s=this.address(e,t);s!==window.location.pathname&&(history.pushState(null,"",s),window.dispatchEvent(new CustomEvent("location-changed",{detail:{replace:!1}})))},this.notify=e=>{this.dispatchEvent(new CustomEvent("hass-notification",{detail:{message:e},bubbles:!0,composed:!0}))},this.toggleMenu=()=>{this.dispatchEvent(new CustomEvent("hass-toggle-menu",{bubbles:!0,composed:!0}))},this.move=e=>{const t=[...e.currentTarget.querySelectorAll(".tab")],s=t.indexOf(e.target),r={ArrowRight:(s+1)%t.length,ArrowLeft:(s+t.length-1)%t.length,Home:0,End:t.length-1}[e.key];s<0||r===void 0||(e.preventDefault(),t[r]?.focus())}}connectedCallback(){super.connectedCallback(),this.hass&&this.connect(this.hass.connection)}disconnectedCallback(){super.disconnectedCallback(),this.disconnect()}willUpdate(e){const{hass:t}=this;if(!t)return;e.has("hass")&&(this.isConnected&&this.connect(t.connection),this.localize?.language!==Jt(t.language)&&this.loadWords(t.language)),this.loadView();const s=["hass","localize","assistants","users","chosen"];[...e.keys()].some(r=>s.includes(String(r)))&&(this.ctx=this.makeContext(t))}updated(){const e=this.renderRoot.querySelector('.tab[aria-selected="true"]'),t=e?.parentElement;if(!e||!t||e.id===this.tabInSight)return;this.tabInSight=e.id;const{offsetLeft:s,offsetWidth:r}=e;t.scrollLeft=s-(t.clientWidth-r)/2}render(){if(!this.localize)return f;const e=this.localize.text,t=this.place,s=this.narrow||this.hass?.dockedSidebar==="always_hidden";return p`<header>
        <div class="toolbar">
          ${s?p`<button
                class="icon-button"
                type="button"
                aria-label=${e("header.menu")}
                data-test="menu"
                @click=${this.toggleMenu}
              >
                ${X("menu",24)}
              </button>`:f}
          <h1>Bellboard</h1>
        </div>
        <div class="tabs" role="tablist" aria-label=${e("header.views")} @keydown=${this.move}>
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
              ${e(`tab.${r}`)}
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
          ${t.turn?f:p`<h2 class="visually-hidden">${e(`tab.${t.view}`)}</h2>`}
          ${this.hass?.connected===!1?p`<div class="lost">${it(e("status.disconnected"),"warning")}</div>`:f}
          ${this.content(t)}
        </div>
      </main>`}content(e){const t=this.localize.text;if(this.error)return it(this.error,"error",p`<button class="button" type="button" @click=${this.loadAssistants}>
          ${t("action.again")}
        </button>`);const{ctx:s}=this;if(!this.assistants||!s)return Tt(t("status.loading"));if(!this.assistants.length)return p`<div class="card">${Re(t("status.no_assistant"))}</div>`;if(this.missing.has(nt(e)))return it(t("status.outdated"),"warning",p`<button class="button" type="button" @click=${()=>window.location.reload()}>
          ${t("action.reload")}
        </button>`);if(!this.ready.has(nt(e)))return Tt(t("status.loading"));if(e.turn)return p`<bb-turn .ctx=${s} turn_id=${e.turn}></bb-turn>`;switch(e.view){case"turns":return p`<bb-turns .ctx=${s}></bb-turns>`;case"try":return p`<bb-try .ctx=${s}></bb-try>`;case"evaluation":return p`<bb-evaluation .ctx=${s}></bb-evaluation>`;case"learned":return p`<bb-learned .ctx=${s}></bb-learned>`;case"agents":return p`<bb-agents .ctx=${s}></bb-agents>`;case"policies":return p`<bb-policies .ctx=${s}></bb-policies>`;case"health":return p`<bb-health .ctx=${s}></bb-health>`}}get place(){return Ve(this.route?.path??"")}makeContext(e){const{localize:t,assistants:s}=this,r=s?.find(n=>n.id===this.chosen)??s?.[0];if(!t||!s||!r)return null;const i=e.locale??{language:e.language};return{hass:()=>this.hass,api:this.api,t:t.text,label:t.label,language:t.language,format:new Ie({...i,language:i.language||e.language},e.config?.time_zone),feed:this.feed,assistants:s,assistant:r,users:this.users,memory:this.memory,choose:this.choose,navigate:this.navigate,address:this.address,notify:this.notify}}connect(e){this.connection!==e&&(this.disconnect(),this.connection=e,e.addEventListener("ready",this.loadAssistants),this.feed.start(e),this.loadAssistants(),this.loadUsers())}disconnect(){this.connection?.removeEventListener("ready",this.loadAssistants),this.connection=null,window.clearTimeout(this.retry),this.feed.stop()}async loadUsers(){try{this.users=await this.api.users()}catch{this.users=[]}}async loadWords(e){try{this.localize=await Be(e),this.error=null}catch(t){this.error=J(t)}}async loadView(){const e=nt(this.place);if(!(this.ready.has(e)||this.missing.has(e)))try{await es[e](),this.ready=new Set(this.ready).add(e)}catch(t){console.warn("Bellboard: a part of the page could not be loaded",t),this.missing=new Set(this.missing).add(e)}}};y.styles=[bt,Le,B`
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
    `];_([$({attribute:!1,hasChanged:ss})],y.prototype,"hass",2);_([$({type:Boolean,reflect:!0})],y.prototype,"narrow",2);_([$({attribute:!1})],y.prototype,"route",2);_([$({attribute:!1})],y.prototype,"panel",2);_([A()],y.prototype,"localize",2);_([A()],y.prototype,"assistants",2);_([A()],y.prototype,"users",2);_([A()],y.prototype,"chosen",2);_([A()],y.prototype,"error",2);_([A()],y.prototype,"ready",2);_([A()],y.prototype,"missing",2);y=_([V("bellboard-panel")],y);function nt(e){return e.turn?"turn":e.view}const rs={},Ms=tt(class extends et{constructor(){super(...arguments),this.ot=rs}render(e,t){return t()}update(e,[t,s]){if(Array.isArray(t)){if(Array.isArray(this.ot)&&this.ot.length===t.length&&t.every((r,i)=>r===this.ot[i]))return w}else if(this.ot===t)return w;return this.ot=Array.isArray(t)?Array.from(t):t,this.render(t,s)}});const{I:is}=_e,Ut=e=>e,Nt=()=>document.createComment(""),U=(e,t,s)=>{const r=e._$AA.parentNode,i=t===void 0?e._$AB:t._$AA;if(s===void 0){const n=r.insertBefore(Nt(),i),o=r.insertBefore(Nt(),i);s=new is(n,o,e,e.options)}else{const n=s._$AB.nextSibling,o=s._$AM,l=o!==e;if(l){let a;s._$AQ?.(e),s._$AM=e,s._$AP!==void 0&&(a=e._$AU)!==o._$AU&&s._$AP(a)}if(n!==i||l){let a=s._$AA;for(;a!==n;){const b=Ut(a).nextSibling;Ut(r).insertBefore(a,i),a=b}}}return s},k=(e,t,s=e)=>(e._$AI(t,s),e),ns={},os=(e,t=ns)=>e._$AH=t,as=e=>e._$AH,ot=e=>{e._$AR(),e._$AA.remove()};const It=(e,t,s)=>{const r=new Map;for(let i=t;i<=s;i++)r.set(e[i],i);return r},ls=tt(class extends et{constructor(e){if(super(e),e.type!==ft.CHILD)throw Error("repeat() can only be used in text expressions")}dt(e,t,s){let r;s===void 0?s=t:t!==void 0&&(r=t);const i=[],n=[];let o=0;for(const l of e)i[o]=r?r(l,o):o,n[o]=s(l,o),o++;return{values:n,keys:i}}render(e,t,s){return this.dt(e,t,s).values}update(e,[t,s,r]){const i=as(e),{values:n,keys:o}=this.dt(t,s,r);if(!Array.isArray(i))return this.ut=o,n;const l=this.ut??=[],a=[];let b,d,c=0,u=i.length-1,h=0,m=n.length-1;for(;c<=u&&h<=m;)if(i[c]===null)c++;else if(i[u]===null)u--;else if(l[c]===o[h])a[h]=k(i[c],n[h]),c++,h++;else if(l[u]===o[m])a[m]=k(i[u],n[m]),u--,m--;else if(l[c]===o[m])a[m]=k(i[c],n[m]),U(e,a[m+1],i[c]),c++,m--;else if(l[u]===o[h])a[h]=k(i[u],n[h]),U(e,i[c],i[u]),u--,h++;else if(b===void 0&&(b=It(o,h,m),d=It(l,c,u)),b.has(l[c]))if(b.has(l[u])){const v=d.get(o[h]),st=v!==void 0?i[v]:null;if(st===null){const mt=U(e,i[c]);k(mt,n[h]),a[h]=mt}else a[h]=k(st,n[h]),U(e,i[c],st),i[v]=null;h++}else ot(i[u]),u--;else ot(i[c]),c++;for(;h<=m;){const v=U(e,a[m+1]);k(v,n[h]),a[h++]=v}for(;c<=u;){const v=i[c++];v!==null&&ot(v)}return this.ut=o,os(e,a),w}});function Rs(e,t){return t?e.hass().areas?.[t]?.name??t:null}function Ls(e,t){return e.format.money(t,e.hass().config?.currency)}function Ds(e,t){if(!t)return null;const{user:s}=e.hass();return e.users.find(i=>i.id===t)?.name??(s?.id===t?s.name:t)}function Us(e,t){const s=e.hass().states[t]?.attributes.friendly_name;return typeof s=="string"&&s?s:t}function Ns(e,t){return e.assistants.find(s=>s.id===t||s.entity_id===t)?.title??t}function Is(e,t){return e.map(s=>t?.find(r=>r.id===s)?.name??s).join(", ")}function Hs(e){return Object.values(e.hass().areas??{}).map(t=>({id:t.area_id,name:t.name})).sort((t,s)=>t.name.localeCompare(s.name,e.language))}var cs=Object.defineProperty,hs=(e,t,s,r)=>{for(var i=void 0,n=e.length-1,o;n>=0;n--)(o=e[n])&&(i=o(t,s,i)||i);return i&&cs(t,s,i),i};class L extends C{static{this.styles=[bt]}}hs([$({attribute:!1})],L.prototype,"ctx");class js extends L{constructor(){super(...arguments),this.shownAssistant=""}willUpdate(t){!t.has("ctx")||this.ctx.assistant.id===this.shownAssistant||(this.shownAssistant=this.ctx.assistant.id,this.prepare())}}class Bs{constructor(t){this.host=t,this.error=null,this.isLoading=!1,this.run=0,t.addController(this)}hostDisconnected(){this.run++}async load(t){const s=++this.run;this.isLoading=!0,this.error=null,this.host.requestUpdate();try{const r=await t();return s!==this.run?void 0:(this.data=r,r)}catch(r){s===this.run&&(this.error=J(r));return}finally{s===this.run&&(this.isLoading=!1,this.host.requestUpdate())}}clear(){this.run++,this.data=void 0,this.error=null,this.isLoading=!1,this.host.requestUpdate()}}function Qt(e){return e.target.value}function ds(e){return e.target.checked}const Vs=tt(class extends et{constructor(e){if(super(e),e.type!==ft.ATTRIBUTE||e.name!=="class"||e.strings?.length>2)throw Error("`classMap()` can only be used in the `class` attribute and must be the only part in the attribute.")}render(e){return" "+Object.keys(e).filter(t=>e[t]).join(" ")+" "}update(e,[t]){if(this.st===void 0){this.st=new Set,e.strings!==void 0&&(this.nt=new Set(e.strings.join(" ").split(/\s/).filter(r=>r!=="")));for(const r in t)t[r]&&!this.nt?.has(r)&&this.st.add(r);return this.render(t)}const s=e.element.classList;for(const r of this.st)r in t||(s.remove(r),this.st.delete(r));for(const r in t){const i=!!t[r];i===this.st.has(r)||this.nt?.has(r)||(i?(s.add(r),this.st.add(r)):(s.remove(r),this.st.delete(r)))}return w}});async function us(e,t){if(navigator.clipboard&&window.isSecureContext)try{return await navigator.clipboard.writeText(e),!0}catch{}const s=document.createElement("textarea");s.value=e,s.style.cssText="position:fixed;inset-block-start:0;opacity:0",s.setAttribute("aria-hidden","true"),t.append(s),s.select();const r=document.execCommand("copy");return s.remove(),r}function Fs(e,t,s){const r=document.createElement("a"),i=URL.createObjectURL(new Blob([t],{type:s}));r.href=i,r.download=e,r.click(),setTimeout(()=>URL.revokeObjectURL(i),1e4)}var ps=Object.defineProperty,fs=Object.getOwnPropertyDescriptor,Xt=(e,t,s,r)=>{for(var i=r>1?void 0:r?fs(t,s):t,n=e.length-1,o;n>=0;n--)(o=e[n])&&(i=(r?o(t,s,i):o(i))||i);return r&&i&&ps(t,s,i),i};let at=class extends L{constructor(){super(...arguments),this.text=""}render(){return p`<button
      type="button"
      class="icon-button"
      aria-label=${this.ctx.t("action.copy")}
      title=${this.ctx.t("action.copy")}
      data-test="copy"
      @click=${this.copy}
    >
      ${X("copy",18)}
    </button>`}async copy(){const e=await us(this.text,this.renderRoot);this.ctx.notify(this.ctx.t(e?"action.copied":"action.not_copied"))}};Xt([$({attribute:!1})],at.prototype,"text",2);at=Xt([V("bb-copy")],at);var bs=Object.defineProperty,ms=Object.getOwnPropertyDescriptor,F=(e,t,s,r)=>{for(var i=r>1?void 0:r?ms(t,s):t,n=e.length-1,o;n>=0;n--)(o=e[n])&&(i=(r?o(t,s,i):o(i))||i);return r&&i&&bs(t,s,i),i};const gs=60;let O=class extends L{constructor(){super(...arguments),this.devices=[],this.chosen=[],this.together=!1,this.sought=""}render(){const{t:e}=this.ctx,t=K(this.sought).split(/\s+/).filter(Boolean),s=this.together?this.chosen[0]?.split(".")[0]:void 0,r=o=>this.chosen.includes(o.entity_id),i=this.devices.filter(o=>{const l=K(`${o.name} ${o.area??""} ${o.entity_id}`);return r(o)||(!s||o.entity_id.startsWith(`${s}.`))&&t.every(a=>l.includes(a))}),n=i.filter((o,l)=>l<gs||r(o));return p`<fieldset>
      <legend>${e("devices.title")}</legend>
      <input
        type="search"
        .value=${this.sought}
        placeholder=${e("devices.search")}
        aria-label=${e("devices.search")}
        data-test="devices-search"
        @input=${o=>this.sought=Qt(o)}
      />
      <div class="devices">
        ${ls(n,o=>o.entity_id,o=>p`<label class="check" data-test="device">
            <input
              type="checkbox"
              value=${o.entity_id}
              .checked=${r(o)}
              @change=${l=>this.choose(o.entity_id,ds(l))}
            />
            <span class="name">
              <span>${o.name}</span>
              <span class="small muted">
                ${o.area?`${o.area} · `:f}${o.entity_id}
              </span>
            </span>
          </label>`)}
        ${n.length?f:p`<p class="muted">${e("devices.none")}</p>`}
        ${i.length>n.length?p`<p class="muted small">
              ${e("devices.more",{count:i.length-n.length})}
            </p>`:f}
      </div>
    </fieldset>`}choose(e,t){const s=this.chosen.filter(i=>i!==e),r=t?[...s,e]:s;this.dispatchEvent(new CustomEvent("chosen",{detail:r}))}};O.styles=[...L.styles,B`
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
    `];F([$({attribute:!1})],O.prototype,"devices",2);F([$({attribute:!1})],O.prototype,"chosen",2);F([$({type:Boolean})],O.prototype,"together",2);F([A()],O.prototype,"sought",2);O=F([V("bb-devices")],O);var vs=Object.defineProperty,ys=Object.getOwnPropertyDescriptor,W=(e,t,s,r)=>{for(var i=r>1?void 0:r?ys(t,s):t,n=e.length-1,o;n>=0;n--)(o=e[n])&&(i=(r?o(t,s,i):o(i))||i);return r&&i&&vs(t,s,i),i};let T=class extends C{constructor(){super(...arguments),this.open=!1,this.heading="",this.closing="",this.opener=null}updated(e){e.has("open")&&(this.open&&!this.dialog.open?(this.opener=$s(),this.dialog.showModal()):!this.open&&this.dialog.open&&this.dialog.close())}render(){return p`<dialog
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
    </dialog>`}closed(e){e.stopPropagation(),this.open=!1;const{opener:t}=this;this.opener=null,t?.isConnected&&t.focus({preventScroll:!0}),this.dispatchEvent(new CustomEvent("closed"))}clicked(e){if(e.target!==this.dialog)return;const{left:t,right:s,top:r,bottom:i}=this.dialog.getBoundingClientRect(),{clientX:n,clientY:o}=e;(n<t||n>s||o<r||o>i)&&this.dialog.close()}};T.styles=[bt,B`
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
    `];W([$({type:Boolean})],T.prototype,"open",2);W([$()],T.prototype,"heading",2);W([$()],T.prototype,"closing",2);W([Ce("dialog")],T.prototype,"dialog",2);T=W([V("bb-dialog")],T);function $s(){let e=document.activeElement;for(;e?.shadowRoot?.activeElement;)e=e.shadowRoot.activeElement;return e instanceof HTMLElement?e:null}var _s=Object.getOwnPropertyDescriptor,ws=(e,t,s,r)=>{for(var i=r>1?void 0:r?_s(t,s):t,n=e.length-1,o;n>=0;n--)(o=e[n])&&(i=o(i)||i);return i};let Ht=class extends L{updated(){this.hidden=this.ctx.assistants.length<2}render(){const{t:e,assistants:t,assistant:s,choose:r}=this.ctx;return t.length<2?f:p`<label class="field">
      <span>${e("label.assistant")}</span>
      <select data-test="assistant" @change=${i=>r(Qt(i))}>
        ${t.map(i=>p`<option value=${i.id} ?selected=${i.id===s.id}>
            ${i.title}
          </option>`)}
      </select>
    </label>`}};Ht=ws([V("bb-assistant")],Ht);export{js as A,L as B,Ps as C,Hs as D,Is as E,$ as F,fe as G,Vs as H,us as I,Fs as J,Bs as L,Je as N,Ge as P,f as a,it as b,p as c,Ss as d,Re as e,B as f,V as g,Us as h,X as i,Rs as j,Ns as k,Tt as l,Os as m,Ts as n,Ot as o,ls as p,zs as q,A as r,ds as s,Cs as t,Ds as u,Qt as v,J as w,Ye as x,Ls as y,Ms as z};
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
