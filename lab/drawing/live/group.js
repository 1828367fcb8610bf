// A group of two weights: bars under a water line that can be dragged and settles where it belongs,
// beside the plane in which the group is a point to drag.

const SETTLES_MS = 700;

KINDS.group = {
    build({svg, width, height, narrow, content, value, add, marks, drags, redraw, button}) {
        const share = 0.46, down = {top: 28, bottom: height - 46};
        const left = narrow ? {left: 28, right: width * share - 60, ...down}
            : {left: 60, right: width * share - 84, ...down};
        const right = narrow ? {left: width * share + 28, right: width - 4, ...down}
            : {left: width * share + 30, right: width - 12, ...down};

        const up = makeScale(content.bars, left.bottom, left.top);
        const none = () => 0;
        none.ticks = [];
        drawAxes(svg, left, none, up, {x: {label: ""}, y: content.bars});
        const step = (left.right - left.left) / 2;
        const bars = content.names.map((name, i) => {
            const middle = left.left + (i + 0.5) * step;
            svg.append(node("text",
                {x: middle, y: left.bottom + 18, "text-anchor": "middle"}, name));
            const shape = {x: middle - step * 0.34, width: step * 0.68};
            const group = add(svg, node("g", {style: "color: var(--accent)"}));
            return ["bar", "bar kept"].map(name_ =>
                marks(String(i), add(group, node("rect", {class: name_, ...shape}))));
        });
        const line = add(svg, node("line", {class: "guide", x1: left.left, x2: left.right}));
        const said = add(svg, node("text", {x: left.right + 14, class: "strong"}));
        const grip = add(svg, node("circle", {class: "grip level", r: 10, cx: left.right}));

        const [x, y] = equalScales(content, right);
        drawAxes(svg, right, x, y, content);
        const clip = add(svg, node("clipPath", {id: `plane-${clips += 1}`}));
        clip.append(node("rect", {x: right.left, y: right.top, width: right.right - right.left,
            height: right.bottom - right.top}));
        const front = add(svg, node("g", {"clip-path": `url(#${clip.id})`}));
        const point = add(svg, node("circle", {class: "grip point", r: 11}));
        drags(point, {touch: "none", cursor: "grab", move: (px, py) => {
            level = null;
            value.set(x.invert(px), y.invert(py));
        }});

        // Where the hand or the settling holds the line; null where it is at rest.
        let level = null, stay = () => {};
        const now = () => {
            const [first, second, zeta] = value.places;
            return MATHS.group_step({a: [first, second], zeta, level});
        };
        const settle = () => {
            stay();
            if (level === null) return;
            const from = level;
            stay = animate(SETTLES_MS, share => {
                level = share === 1 ? null : now().settled + (from - now().settled) * (1 - share) ** 3;
                redraw();
            });
        };
        const [lowest, highest] = content.bars.range;
        const surface = add(svg, node("rect", {class: "surface", x: left.left, y: left.top,
            width: left.right - left.left, height: left.bottom - left.top}));
        svg.append(...bars.flat().map(bar => bar.parentNode), line, grip);
        for (const target of [surface, grip, ...bars.flat()]) drags(target, {
            touch: "pan-x", cursor: "ns-resize", release: settle,
            move: (_, place) => {
                stay();
                level = Math.max(lowest, Math.min(highest, up.invert(place)));
            },
        });
        button("Watch the line settle", () => { level = 0; settle(); });

        const set = (bar, from, to) => {
            bar.setAttribute("y", up(Math.max(from, to)));
            bar.setAttribute("height", Math.abs(up(from) - up(to)));
        };
        let before = null;
        return {
            draw() {
                const text = value.text();
                if (before !== text) { level = before === null ? level : null; before = text; }
                const [first, second, zeta] = value.places, a = [first, second];
                const found = now(), at = level ?? found.settled;
                bars.forEach(([under, above], i) => {
                    const top = Math.abs(a[i]);
                    set(under, 0, Math.min(top, at));
                    set(above, Math.min(top, at), top);
                });
                for (const end of ["y1", "y2"]) line.setAttribute(end, up(at));
                grip.setAttribute("cy", up(at));
                said.setAttribute("y", up(at) + 5);
                setText(said, `δ = ${inWords(at)}`);
                point.setAttribute("cx", x(first));
                point.setAttribute("cy", y(second));
                front.replaceChildren();
                for (const shape of groupShapes(a, zeta, found, content.x.range[1]))
                    drawShape(front, shape, x, y, marks);
                return {title: found.title, alt: found.alt};
            },
            tip(key, target) {
                if (target.dataset.name) return target.dataset.name;
                const i = Number(key), size = Math.abs(value.places[i]), at = level ?? now().settled;
                return `size of the ${content.names[i]} = ${inWords(size)}: `
                    + `${inWords(Math.max(0, size - at))} stands out`;
            },
        };
    },
};

// Where a weight vanishes, all groups with the new one's price, and the way from a to x.
function groupShapes(a, zeta, {x, y}, far) {
    const k = far * zeta / (1 + zeta);
    const wedge = (points, name) =>
        ({type: "polygon", points, color: "positive", class: "filled faint", name});
    return [
        wedge([[0, 0], [far, k], [far, -k]], "here the second weight vanishes"),
        wedge([[0, 0], [-far, k], [-far, -k]], "here the second weight vanishes"),
        wedge([[0, 0], [k, far], [-k, far]], "here the first weight vanishes"),
        wedge([[0, 0], [k, -far], [-k, -far]], "here the first weight vanishes"),
        {type: "polygon", points: [[y, 0], [0, y], [-y, 0], [0, -y]], color: "theory", class: "dashed"},
        {type: "line", points: [a, x], color: "negative", class: "dashed"},
        {type: "dot", at: x, color: "accent", label: "after",
            label_side: a[1] < x[1] ? "above" : "below", name: "after the step"},
    ];
}
