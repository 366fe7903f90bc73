import"./chunks/app-D9PtDLk0.js";
