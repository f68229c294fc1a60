"use strict";
// The page about the API: Swagger UI, which has its own library.
window.addEventListener("load", () => {
  const url = document.getElementById("api").dataset.description;
  window.SwaggerUIBundle({ dom_id: "#api", url, deepLinking: false });
});
