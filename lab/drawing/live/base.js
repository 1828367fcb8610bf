// The figure itself: its title, picture, slider and tooltip, and when it draws and tells the server.
// A kind adds `KINDS.name = {build(stage)}`, see the docstring of the package.

// One figure in one place of the page; it outlives the server's reruns.
class Live {
    constructor(root) {
        this.root = root;
        this.figure = null;
        this.keyDown = this.pending = this.dragging = false;
        this.frame = element("figure", {class: "live"});
        this.title = element("figcaption", {class: "title"});
        this.svg = node("svg", {role: "img"});
        this.controls = element("div", {class: "controls"});
        this.tooltip = element("div", {class: "tooltip", hidden: ""});
        this.frame.append(this.title, this.svg, this.controls, this.tooltip);
        root.append(this.frame);
        this.marked = null;
        this.svg.addEventListener("pointermove", event => this.hover(event));
        this.svg.addEventListener("pointerdown", event => this.hover(event));
        this.svg.addEventListener("pointerleave", () => this.unmark());
        this.observer = new ResizeObserver(() => this.guard(() => this.resized()));
        this.observer.observe(this.frame);
    }

    // What the server says: the same figure again after most runs, and a new value when it has one.
    update(data, tell) {
        this.tell = tell;
        if (data.figure === null) {  // a still one is on show, and waits for a sign of life
            this.frame.hidden = true;
            tellAlone(() => this.tell("late", true));
            return;
        }
        const renewed = data.figure !== this.text;
        const kept = renewed && this.takeOver(data.figure);
        if (renewed && !kept) {
            this.figure = JSON.parse(data.figure);
            this.value = makeValue(this.figure);
            this.memory = {};
        }
        this.text = data.figure;
        this.chooseColors();
        const imposed = (renewed && !kept) || data.revision !== this.revision;
        this.revision = data.revision;
        this.name = data.name;
        this.at = data.at;
        if (imposed && !this.dragging) {
            const mine = lastTold.get(data.name);
            const newer = mine && mine.revision === data.revision && mine.at === data.at;
            this.value.read(newer ? mine.text : data.at);
            this.known = this.value.text();
        }
        if (renewed) {
            if (!kept) this.drawControls();
            this.renew(kept);
        } else if (imposed) this.draw();
        if (this.figure.autoplay && this.figure.autoplay !== this.autoplayed) {
            this.autoplayed = this.figure.autoplay;
            this.value.index = 0;
            this.stop();
            this.start();
        }
        // Where the moment on show is another frame by now, the server is told.
        if (kept && !this.busy()) setTimeout(() => this.commit());
    }

    // What is under the hand stays until it lets go: a surface that is replaced cannot be dragged.
    renew(waits) {
        this.outdated = waits && this.dragging;
        if (this.outdated) return;
        this.built = null;
        this.resized();
    }

    letGo() {
        this.dragging = false;
        if (this.outdated) this.guard(() => this.renew(false));
    }

    // Whether the value is on its way, and is told when it is there.
    busy() { return this.dragging || this.keyDown || Boolean(this.timer); }

    // More of what is on show, of a figure that says so: the hand and the player are not disturbed.
    takeOver(text) {
        if (!this.figure || !this.figure.follows) return false;
        const next = JSON.parse(text), same = name => String(next[name]) === String(this.figure[name]);
        if (!["kind", "follows", "control", "label", "steps"].every(same)) return false;
        const {stays} = KINDS[next.kind];
        if (stays && !this.dragging && !this.keyDown)
            this.value.index = stays(this.figure.content, next.content, this.value.index, this.memory);
        this.figure = next;
        this.value.words = next.words;
        return true;
    }

    // The page's own colours are CSS variables; ours follow the page's background, since Streamlit
    // calls again when the theme changes.
    chooseColors() {
        const ground = getComputedStyle(this.frame).getPropertyValue("--st-background-color");
        const mode = isDark(ground.trim()) ? "dark" : "light";
        for (const [name, color] of Object.entries(COLORS[mode]))
            this.frame.style.setProperty(`--${name}`, color);
        this.frame.dataset.mode = mode;
    }

    // A failure at any later time must reach the server as one at the start does.
    guard(act) {
        if (this.broken) return;
        try { act(); } catch (error) { this.fail(error); }
    }

    fail(error) {
        this.broken = true;
        this.stop();
        const words = String(error && error.message || error).slice(0, 200);
        let times = 0;
        const say = () => this.tell("broken", `${words} (${times += 1})`);
        tellAlone(say);
        // Until the server has put another figure here: a run under way may have missed it.
        this.complaint = setInterval(() => times < 5 && say(), 2000);
    }

    resized() {
        if (!this.figure) return;
        const width = Math.floor(this.frame.clientWidth);
        if (width < 1 || (this.built && this.width === width)) return;
        const zoom = this.frame.getBoundingClientRect().width / width;
        const narrow = width < NARROW, height = heightOf(this.figure, width, innerHeight / zoom);
        Object.assign(this, {width, height});
        this.svg.replaceChildren();
        this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
        this.svg.style.height = `${height}px`;
        this.marks = new Map();
        const kind = KINDS[this.figure.kind];
        if (!kind) throw new Error(`there is no kind ${this.figure.kind} of live figure`);
        this.built = kind.build({
            svg: this.svg, width, height, narrow, content: this.figure.content, value: this.value,
            add: (parent, made) => { parent.append(made); return made; },
            marks: (key, made) => this.keep(key, made),
            moved: () => this.stepped, memory: this.memory,
            drags: (surface, options) => this.makeDraggable(surface, options),
            redraw: () => this.preview(),
            button: (label, act) => this.actButton(label, act),
            // A slider that stands alone under the picture is as long as the picture's axis.
            along: (left, right) => this.controls.childElementCount === 1 && this.sliders.length
                && this.sliders[0].reach(left, right),
        });
        this.draw();
    }

    // Drawing at once, for a value that the server or the figure's first showing gives.
    draw() {
        if (!this.built) return;  // no room yet: it is drawn when there is
        const began = performance.now();
        const said = this.built.draw() || {};
        const k = this.value.index;
        // A line does not end between a number and its %.
        setText(this.title, (said.title ?? this.figure.titles[k] ?? "").replaceAll(" %", "\u00a0%"));
        this.svg.setAttribute("aria-label", said.alt ?? this.figure.alts[k] ?? "");
        this.showValue();
        if (this.marked) this.tip(this.marked);
        this.svg.dataset.draws = Number(this.svg.dataset.draws || 0) + 1;
        (window.liveRedraws ||= []).push(performance.now() - began);
        if (window.liveRedraws.length > 500) window.liveRedraws.shift();
    }

    // Drawing soon, for what the hand does: once a frame of the screen, however often it moves.
    preview() {
        if (this.asked) return;
        this.asked = requestAnimationFrame(() => {
            this.asked = null;
            this.guard(() => this.draw());
        });
    }

    commit() {
        this.pending = false;
        const text = this.value.text();
        if (text !== this.known) {
            const {name, revision, at} = this;
            this.tell("at", text, () => lastTold.set(name, {revision, at, text}));
        }
        this.known = text;
    }

    drawControls() {
        this.stop();
        this.controls.replaceChildren();
        const {sharesOf} = KINDS[this.figure.kind] || {};
        this.sliders = this.value.axes.map(axis =>
            new Slider(this, axis, sharesOf ? sharesOf(this.figure.content) : null));
        this.stepped = false;
        if (this.figure.step_label) this.controls.append(this.stepButton());
        if (this.figure.play) this.controls.append(this.playButton());
        if (this.figure.speeds.length) this.controls.append(this.speedChoice());
        this.controls.append(...this.sliders.map(slider => slider.label));
    }

    showValue() {
        for (const slider of this.sliders) slider.show();
    }

    // How many of the screen's pixels one of the picture's is: more than 1 on an enlarged page.
    zoom() {
        return this.svg.getBoundingClientRect().height / this.height || 1;
    }

    // `options.move(x, y)` sets the value from a place in the picture and says whether it took it.
    // `release` is called when the hand lets go.
    makeDraggable(surface, {move, touch, cursor, release}) {
        surface.style.cursor = cursor;
        const place = event => {
            const box = this.svg.getBoundingClientRect(), zoom = this.zoom();
            return [(event.clientX - box.left) / zoom, (event.clientY - box.top) / zoom];
        };
        heedTouch(surface, touch);
        surface.addEventListener("pointerdown", event => this.guard(() => {
            if (event.button) return;
            this.stop();
            this.dragging = true;
            surface.setPointerCapture(event.pointerId);
            move(...place(event));
            this.preview();
            event.preventDefault();
        }));
        surface.addEventListener("pointermove", event => this.guard(() => {
            if (!surface.hasPointerCapture(event.pointerId)) return;
            move(...place(event));
            this.preview();
        }));
        for (const name of ["pointerup", "pointercancel"])
            surface.addEventListener(name, () => {
                if (!this.dragging) return;
                this.letGo();
                this.commit();
                if (release) release();
            });
    }

    // What means the same feature has the same key, and is marked together.
    keep(key, made) {
        made.dataset.key = key;
        if (!this.marks.has(key)) this.marks.set(key, []);
        this.marks.get(key).push(made);
        return made;
    }

    hover(event) {
        const key = event.target.dataset ? event.target.dataset.key : undefined;
        if (key === undefined) { this.unmark(); return; }
        if (this.marked && this.marked.target === event.target) return;
        this.unmark();
        for (const made of this.marks.get(key) || []) made.classList.add("marked");
        this.marked = {key, target: event.target};
        this.tip(this.marked);
    }

    unmark() {
        if (!this.marked) return;
        for (const made of this.marks.get(this.marked.key) || []) made.classList.remove("marked");
        this.marked = null;
        this.tooltip.hidden = true;
    }

    tip({key, target}) {
        const text = this.built.tip ? this.built.tip(key, target) : null;
        this.tooltip.hidden = !text;
        if (!text) return;
        setText(this.tooltip, text);
        const around = this.frame.getBoundingClientRect(), box = target.getBoundingClientRect();
        const zoom = this.zoom(), {offsetWidth: wide, offsetHeight: high} = this.tooltip;
        const room = around.width / zoom - wide;
        const left = (box.left - around.left + box.width / 2) / zoom - wide / 2;
        const above = (box.top - around.top) / zoom - high - 6;
        this.tooltip.style.left = `${Math.max(0, Math.min(room, left))}px`;
        this.tooltip.style.top = `${above < 0 ? (box.bottom - around.top) / zoom + 6 : above}px`;
    }

    playButton() {
        this.player = element("button", {type: "button", class: "play"}, this.figure.play_label);
        this.player.addEventListener("click", () => {
            if (this.timer) { this.stop(); this.commit(); } else this.start();
        });
        return this.player;
    }

    // How fast frames are played; a choice of the browser's own, which every device can work with.
    speedChoice() {
        const label = element("label", {class: "speed"}, "Speed ");
        this.speed = element("select", {"aria-label": "Speed"});
        for (const speed of this.figure.speeds)
            this.speed.append(element("option", {value: speed}, `${speed}×`));
        this.speed.value = "1";
        this.speed.addEventListener("change", () => {
            if (this.timer) { this.stop(); this.start(); }
        });
        label.append(this.speed);
        return label;
    }

    // One frame on, told at once; from the last to the first.
    stepButton() {
        const button = element("button", {type: "button", class: "play"}, this.figure.step_label);
        button.addEventListener("click", () => this.guard(() => {
            this.stop();
            this.value.index = (this.value.index + 1) % this.figure.steps.length;
            this.stepped = true;
            this.draw();
            this.stepped = false;
            this.commit();
        }));
        return button;
    }

    // A button of the kind's own; a picture built anew takes it over.
    actButton(label, act) {
        let made = this.controls.querySelector(".act");
        if (!made) {
            made = element("button", {type: "button", class: "play act"}, label);
            this.controls.prepend(made);
        }
        made.onclick = () => this.guard(act);
    }

    start() {
        const last = this.figure.steps.length - 1;
        if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
            this.value.index = last;
            this.draw();
            this.commit();
            return;
        }
        if (this.value.index >= last) this.value.index = 0;
        setText(this.player, "Pause");
        this.timer = setInterval(() => {
            this.value.index += 1;
            this.preview();
            if (this.value.index >= last) { this.stop(); this.commit(); }
        }, this.figure.play / (this.figure.speeds.length ? Number(this.speed.value) : 1));
    }

    stop() {
        if (!this.timer) return;
        clearInterval(this.timer);
        this.timer = null;
        setText(this.player, this.figure.play_label);
    }

    close() {
        this.stop();
        clearInterval(this.complaint);
        this.observer.disconnect();
        this.frame.remove();
    }
}

export default function ({data, parentElement, setStateValue}) {
    let live = parentElement.live;
    const tell = (name, value, asTold = () => {}) => {
        if (parentElement.live !== live) return;
        if (goal !== null && goal !== pageOf(location.pathname)) {
            setTimeout(() => tell(name, value, asTold), 60);
            return;
        }
        asTold();
        setStateValue(name, value);
    };
    try {
        if (!live) live = parentElement.live = new Live(parentElement);
        live.update(data, tell);
    } catch (error) {
        if (!live) tellAlone(() => tell("broken", String(error).slice(0, 200)));
        else live.fail(error);
    }
    return () => {
        if (live) live.close();
        parentElement.live = null;
    };
}
