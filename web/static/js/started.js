// For every browser, however old: says when the page's scripts, which are modules, did not run. One that does not know all they are written
// in runs none of them, and so does one that could not fetch them all.

addEventListener("load", function () {
  if (!document.documentElement.hasAttribute("data-runs")) document.getElementById("stuck").removeAttribute("hidden");
});
