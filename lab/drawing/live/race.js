// A race, replayed: lines that grow up to the head, the finish line, and who has crossed it in which
// place. Names stand beside the picture, joined to their heads, so that they cover no line.

KINDS.race = {
    // Who looks at an earlier moment goes on to see that one, however far the race is by now.
    stays(before, after, at, memory) {
        const held = memory.held && memory.held.at === at ? memory.held.place : null;
        memory.held = MATHS.sameMoment({before, after, at, held});
        return memory.held.at;
    },

    build({svg, width, height, narrow, content, value, add, marks, drags, memory, redraw}) {
        const size = narrow ? 12 : 13, medalRoom = content.finish === null ? 0 : 24;
        const named = Math.max(0, ...content.lanes.map(lane => textWidth(lane.name, size, true)));
        const room = Math.min(width * 0.4, 16 + medalRoom + named);
        const box = {left: narrow ? 44 : 60, right: width - room, top: 28, bottom: height - 46};
        const x = makeScale(content.x, box.left, box.right);
        const y = makeScale(content.y, box.bottom, box.top);
        drawAxes(svg, box, x, y, content);
        const across = at => Math.max(box.left, Math.min(box.right, x(at)));
        const up = at => Math.max(box.top - 2, Math.min(box.bottom + 2, y(at)));
        const points = (xs, ys) => ys.map((at, i) => [across(xs[i]), up(at)]);
        const path = places => places.map(([a, b], i) =>
            `${i ? "L" : "M"}${a.toFixed(1)},${b.toFixed(1)}`).join("");

        const window_ = node("rect", {x: box.left - 8, y: box.top - 8, height: box.bottom - box.top + 16});
        const clip = add(svg, node("clipPath", {id: `race-${clips += 1}`}));
        clip.append(window_);
        const inside = add(svg, node("g", {"clip-path": `url(#${clip.id})`}));
        const rates = content.rates.map(rate => ({name: rate.name, places: points(rate.x, rate.y)}));
        const place = makePlacer([...content.lanes.map(lane => points(lane.x, lane.y)),
            ...rates.map(rate => rate.places), ...(content.finish === null ? []
                : [[[box.left, y(content.finish)], [box.right, y(content.finish)]]])]);
        if (content.finish !== null) {
            const level = y(content.finish), [form] = formsOf(content.finish_name);
            svg.insertBefore(node("line", {class: "finish", x1: box.left, x2: box.right, y1: level,
                y2: level}), inside);
            drawName(svg, place(overLevel({at: level, form, box})), "text").classList.add("strong");
        }
        for (const rate of rates) {
            svg.insertBefore(node("path", {class: "curve dotted rate", d: path(rate.places)}), inside);
            const [form] = formsOf(rate.name);
            drawName(svg, place(alongCurve({places: rate.places, form, box})), "theory");
        }
        const surface = add(svg, node("rect", {class: "surface", x: box.left, y: box.top,
            width: Math.max(0, box.right - box.left), height: Math.max(0, box.bottom - box.top)}));
        const touched = [surface];
        const lanes = content.lanes.map((lane, c) => {
            const style = `color: var(--${lane.color})`, places = points(lane.x, lane.y), d = path(places);
            const group = add(inside, node("g", {style}));
            if (lane.low) group.append(node("path", {class: "band", d: path(points(lane.x, lane.low))
                + path(points(lane.x, lane.high).reverse()).replace("M", "L") + "Z"}));
            const line = node("path", {class: lane.thick ? "curve thick" : "curve", d});
            if (lane.dash) line.setAttribute("stroke-dasharray", lane.dash);
            marks(String(c), add(group, line));
            const lift = node("path", {class: "touch", d, "clip-path": `url(#${clip.id})`});
            touched.push(marks(String(c), add(svg, lift)));
            const outside = add(svg, node("g", {style}));
            const leader = add(outside, node("path", {class: "leader"}));
            const dot = marks(String(c), add(outside, node("path", {class: "dot", d: MARKER[lane.marker]})));
            const name = add(svg, node("text", {x: box.right + 12 + medalRoom, class: "name"}, lane.name));
            name.style.fill = `var(--${lane.color})`;
            name.style.fontSize = `${size}px`;
            const medal = add(svg, node("g", {class: `medal place${lane.place}`}));
            medal.append(node("circle", {r: 9}), node("text", {y: 4, "text-anchor": "middle"},
                String(lane.place ?? "")));
            return {lane, places, leader, dot, name, medal};
        });
        const guide = add(svg, node("line", {class: "guide playhead", y1: box.top, y2: box.bottom}));
        const grip = add(svg, node("circle", {class: "grip head", r: 9, cy: box.bottom}));

        const last = content.frames - 1, end = across(content.reach);
        const headOf = index => box.left + (end - box.left) * (last ? index / last : 1);
        for (const target of [...touched, grip]) drags(target, {
            touch: "pan-y", cursor: "ew-resize",
            move: place => {
                const share = (place - box.left) / ((end - box.left) || 1);
                value.index = Math.max(0, Math.min(last, Math.round(share * last)));
            },
        });
        // While the race is on, the lines grow from the last news to this one.
        const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
        const growth = content.growing && memory.reach !== undefined && !still
            ? {from: across(memory.reach), began: performance.now()} : null;
        memory.reach = content.reach;
        const head = () => {
            if (!growth || value.index < last) return headOf(value.index);
            const share = Math.min(1, (performance.now() - growth.began) / content.growing);
            if (share < 1) redraw();
            return growth.from + (end - growth.from) * share;
        };
        return {
            draw() {
                const at = head(), now = x.invert(at);
                window_.setAttribute("width", Math.max(0, at - box.left + 8));
                guide.setAttribute("x1", at);
                guide.setAttribute("x2", at);
                grip.setAttribute("cx", at);
                const heads = lanes.map(({places}) => headAt(places, at));
                const levels = spread(heads.map(([, b]) => b), 19, box.top + 4, box.bottom - 4);
                lanes.forEach(({lane, leader, dot, name, medal, places}, i) => {
                    const [a, b] = heads[i], level = levels[i];
                    const crossed = lane.finish !== null && now >= lane.finish * (1 - 1e-6);
                    dot.setAttribute("transform", `translate(${a.toFixed(1)},${b.toFixed(1)})`);
                    dot.style.display = places[0][0] > at + 0.5 ? "none" : "";
                    leader.setAttribute("d", `M${a.toFixed(1)},${b.toFixed(1)}`
                        + `L${box.right + 2},${level.toFixed(1)}H${box.right + 8}`);
                    name.setAttribute("y", level + 4);
                    medal.setAttribute("transform", `translate(${box.right + 20},${level})`);
                    medal.style.display = crossed ? "" : "none";
                });
            },
            tip(key) {
                const {lane} = lanes[Number(key)], now = x.invert(head());
                let i = lane.x.findIndex(at => at > now * (1 + 1e-9));
                i = (i < 0 ? lane.x.length : Math.max(1, i)) - 1;
                return `${lane.name}: ${shortNumber(lane.y[i])}`
                    + (lane.finish !== null && now >= lane.finish * (1 - 1e-6) ? `\n${lane.told}` : "");
            },
        };
    },
};

// The frame of `after` that is nearest to the moment that frame `at` of `before` shows, and that moment;
// `held` is the moment, where it is known more exactly than to a frame. The last frame is where the
// race is, whenever that is; and what is so many seconds is not as many iterations.
MATHS.sameMoment = ({before, after, at, held}) => {
    const last = after.frames - 1;
    if (at >= last || before.x.label !== after.x.label) return {at, place: null};
    const place = held ?? framesAlong(before).invert(at);
    return {at: Math.max(0, Math.min(last, Math.round(framesAlong(after)(place)))), place};
};

// From places of the axis to frames: the last one is at `reach`.
const framesAlong = ({x, reach, frames}) =>
    makeScale(x, 0, (frames - 1) / (makeScale(x, 0, 1)(reach) || 1));

// Shapes of the heads, so that lines of one colour are told apart where they end, too.
const MARKER = {
    circle: "M5,0A5,5 0 1 1 -5,0A5,5 0 1 1 5,0Z",
    square: "M-4.5,-4.5H4.5V4.5H-4.5Z",
    diamond: "M0,-6.5L6.5,0L0,6.5L-6.5,0Z",
    triangle: "M0,-6L6,5H-6Z",
};

// Where a line is at a place of the axis: on it, at its beginning before it, at its end after it.
MATHS.headAt = ({places, at}) => headAt(places, at);
function headAt(places, at) {
    const i = places.findIndex(([a]) => a > at);
    if (i < 0) return places[places.length - 1];
    if (i === 0) return places[0];
    const [a, b] = places[i - 1], [c, d] = places[i];
    return [at, b + (d - b) * (at - a) / (c - a)];
}
