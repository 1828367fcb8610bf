// The slider under a figure: its steps evenly, or at the places that they have on the figure's axis.

const FINE = 10000;  // places of a slider whose steps are not even
const THUMB = 20;  // pixels, as in live.css

// Where the steps stand along an axis, as shares of it; null where they are not in its order.
MATHS.sharesAlong = ({axis, marks}) => {
    const shares = marks.map(makeScale(axis, 0, 1)).map(share => Math.max(0, Math.min(1, share)));
    return shares.every((share, i) => i === 0 || share > shares[i - 1]) ? shares : null;
};

// The step that a key leads to.
MATHS.stepByKey = ({key, at, last}) => {
    const page = Math.max(1, Math.round(last / 10));
    const to = {ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1,
        PageUp: at + page, PageDown: at - page, Home: 0, End: last}[key];
    return to === undefined ? null : Math.max(0, Math.min(last, to));
};

class Slider {
    // `shares` are the places of its steps if these are not even.
    constructor(live, axis, shares) {
        Object.assign(this, {live, axis, shares});
        this.label = element("label", {class: "slider"});
        this.output = element("output");
        const [min, max, step] = shares ? [0, FINE, 1] : [axis.min, axis.max, axis.step];
        this.input = element("input", {type: "range", min, max, step, "aria-label": axis.label});
        const head = element("span", {class: "head"});
        head.append(element("span", {class: "label"}, axis.label), this.output);
        this.label.append(head, this.input);
        this.listen();
    }

    listen() {
        const {live, input} = this;
        input.addEventListener("input", () => this.set(this.asked()));
        // A key held down is one move, told when it is let go.
        input.addEventListener("keydown", event => {
            const to = MATHS.stepByKey({key: event.key, at: this.axis.get(), last: this.axis.max});
            if (to === null) return;
            live.keyDown = true;
            if (!this.shares) return;  // the browser's own steps are right
            event.preventDefault();
            live.pending = true;
            this.set(to);
        });
        const settle = () => { live.keyDown = false; if (live.pending) live.commit(); };
        input.addEventListener("keyup", settle);
        input.addEventListener("blur", settle);
        input.addEventListener("change", () => {
            if (live.keyDown) live.pending = true; else live.commit();
        });
        input.addEventListener("pointerdown", () => { live.dragging = true; });
        for (const name of ["pointerup", "pointercancel"])
            input.addEventListener(name, () => live.letGo());
    }

    asked() {
        if (!this.shares) return Number(this.input.value);
        const at = this.axis.get(), share = this.input.value / FINE, near = nearest(this.shares, share);
        // A screen reader moves the slider by less than a step, and means one.
        if (near !== at || this.live.dragging) return near;
        return at + Math.sign(share - Math.round(FINE * this.shares[at]) / FINE);
    }

    set(place) {
        this.live.stop();
        this.axis.set(place);
        this.live.preview();
    }

    // From one place of the picture to another, as its axis does.
    reach(left, right) {
        this.input.style.marginLeft = `${left - THUMB / 2}px`;
        this.input.style.width = `${right - left + THUMB}px`;
    }

    show() {
        const {axis, input, shares} = this, at = axis.get(), words = axis.words();
        const place = shares ? Math.round(FINE * shares[at]) : at;
        if (input.value !== String(place)) input.value = place;
        input.style.setProperty("--share",
            `${100 * (place - input.min) / ((input.max - input.min) || 1)}%`);
        input.setAttribute("aria-valuetext", words);
        setText(this.output, words);
    }
}
