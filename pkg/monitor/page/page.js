// The page is made by the server and is whole without this script. With it, each
// new page that comes as an event is merged into the one that is shown: what did
// not change is left alone, so that a selection and the scrolling stay.
"use strict";

const parser = new DOMParser();

// merge makes old like fresh.
function merge(old, fresh) {
	if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) {
		old.replaceWith(fresh);
		return;
	}
	if (old.nodeType !== Node.ELEMENT_NODE) {
		if (old.data !== fresh.data) old.data = fresh.data;
		return;
	}
	for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
	for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
	const had = [...old.childNodes], has = [...fresh.childNodes];
	has.forEach((node, i) => (had[i] ? merge(had[i], node) : old.append(node)));
	had.slice(has.length).forEach((node) => node.remove());
}

// renew puts off the moment at which the figures are called old.
function renew() {
	for (const a of document.getElementById("stale").getAnimations()) { a.cancel(); a.play(); }
}

const events = new EventSource("events");
events.onmessage = (event) => {
	const fresh = parser.parseFromString(JSON.parse(event.data), "text/html");
	document.title = fresh.title;
	const icon = document.querySelector("link[rel=icon]"), href = fresh.querySelector("link[rel=icon]").getAttribute("href");
	if (icon.getAttribute("href") !== href) icon.setAttribute("href", href);
	merge(document.body, fresh.body);
	renew();
	point();
};
events.onerror = () => {
	// A run that is over has said why; one that is gone without a word has stopped.
	if ("over" in document.body.dataset || "lost" in document.body.dataset) return;
	document.body.dataset.lost = "";
	document.querySelector(".state").textContent = "stopped";
	document.getElementById("stale").textContent += " The run has stopped, or the way to it is cut.";
	document.title = document.title.replace(/\(.*\)$/, "(stopped)");
};

// point shows the figures under the pointer.
let pointer = null;
function point() {
	for (const figure of document.querySelectorAll("figure")) {
		const svg = figure.querySelector("svg"), box = svg.getBoundingClientRect(), tips = figure.dataset.tips.split("|");
		const at = pointer && figure === pointer.figure && tips.length > 1 ? (pointer.x - box.left) / box.width : -1;
		figure.classList.toggle("hover", at >= 0 && at <= 1);
		if (at < 0 || at > 1) continue;
		const i = Math.round(at * (tips.length - 1)), x = (1000 * i) / (tips.length - 1), cross = svg.querySelector(".cross");
		cross.setAttribute("x1", x);
		cross.setAttribute("x2", x);
		const time = new Date(1000 * (Number(figure.dataset.start) + i * figure.dataset.step));
		figure.querySelector("output").textContent = time.toISOString().slice(11, 19) + " UTC  " + (tips[i] || "–");
	}
}
document.addEventListener("pointermove", (e) => {
	const figure = e.target instanceof Element ? e.target.closest("figure") : null;
	if (!figure && !pointer) return;
	pointer = figure && { figure, x: e.clientX };
	point();
});
