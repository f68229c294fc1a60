"use strict";
// The page about the API: Swagger UI, which has its own library, light or dark as the system is.
const dark = matchMedia("(prefers-color-scheme: dark)");
const look = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", look);
look();
window.addEventListener("load", () => {
  const url = document.getElementById("api").dataset.description;
  window.SwaggerUIBundle({ dom_id: "#api", url, deepLinking: false });
});
