import"./chunks/app-CVcciArX.js";
