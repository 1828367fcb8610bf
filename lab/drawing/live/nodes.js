// What all parts use: nodes, text and its width, packed numbers, and time that passes.

const SVG = "http://www.w3.org/2000/svg";
const KINDS = {};
const MATHS = {};  // pure functions of numbers, which tests compare with Python

function node(tag, attributes = {}, text = null) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== null) made.textContent = text;
    return made;
}

function element(tag, attributes = {}, text = null) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== null) made.textContent = text;
    return made;
}

function setText(target, text) {
    if (target.textContent !== text) target.textContent = text;
}

// Numbers that Python packed: 16-bit integers, times `unit`.
function unpacked(packed) {
    const bytes = Uint8Array.from(atob(packed.base64), letter => letter.charCodeAt(0));
    const whole = new Int16Array(bytes.buffer);
    return Float64Array.from(whole, value => value * packed.unit);
}

function isDark(color) {
    const hex = /^#([0-9a-f]{6})/i.exec(color);
    const parts = hex ? [0, 2, 4].map(i => parseInt(hex[1].slice(i, i + 2), 16))
        : (color.match(/[\d.]+/g) || [255, 255, 255]).slice(0, 3).map(Number);
    return parts[0] * 0.299 + parts[1] * 0.587 + parts[2] * 0.114 < 128;
}

const measuring = typeof document === "undefined"
    ? null : document.createElement("canvas").getContext("2d");

function textWidth(text, size, bold = false) {
    measuring.font = `${bold ? "600 " : ""}${size}px "Source Sans", sans-serif`;
    return measuring.measureText(text).width;
}

function wrapped(text, room, size, bold = false) {
    const lines = [];
    for (const word of text.split(" ")) {
        const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
        if (lines.length && textWidth(longer, size, bold) <= room) lines[lines.length - 1] = longer;
        else lines.push(word);
    }
    return lines;
}

function shortNumber(value) {
    if (value === 0) return "0";
    const size = Math.abs(value);
    const text = size >= 1e5 || size < 1e-3 ? value.toExponential(1) : String(+value.toPrecision(3));
    return text.replace("-", "−");
}

// From above 0 to 1 in so much time, shown once a frame of the screen, or 1 at once where motion is
// not wanted. Gives the way to stop it.
function animate(milliseconds, show) {
    const quick = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let began = null;  // with the first frame, however late it comes
    const step = time => {
        began ??= time;
        const share = quick ? 1 : Math.max(1e-6, Math.min(1, (time - began) / milliseconds));
        show(share);
        if (share < 1) frame = requestAnimationFrame(step);
    };
    let frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
}

// A finger that goes the way of `touch`, "pan-x" or "pan-y", moves the page; any other way it drags
// the surface. The style touch-action is for boxes, and a shape is none.
function heedTouch(surface, touch) {
    let from = null;
    surface.addEventListener("touchstart", event => { from = event.touches[0]; }, {passive: true});
    surface.addEventListener("touchmove", event => {
        const to = event.touches[0];
        const across = Math.abs(to.clientX - from.clientX) > Math.abs(to.clientY - from.clientY);
        if (touch !== (across ? "pan-x" : "pan-y") && event.cancelable) event.preventDefault();
    }, {passive: false});
}
