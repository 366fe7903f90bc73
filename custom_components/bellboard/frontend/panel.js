import"./chunks/app-B2nZ9wGs.js";
