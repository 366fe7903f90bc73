import"./chunks/app-wCh4Z6CL.js";
