// Curves with a marker that follows the value and can be dragged along the axis.

KINDS.lines = {
    build({svg, width, height, narrow, content, value, add, marks, drags}) {
        const named = content.curves.filter(curve => curve.name && !curve.faint && !curve.inside);
        const gap = content.handle === null ? 8 : 14;  // a marker that rides to the end has room
        const labelRoom = Math.min(narrow ? width * 0.3 : width * 0.25,
            Math.max(0, ...named.map(curve => gap + 4 + textWidth(curve.name, 13))));
        const first = content.names_at === "start";
        const box = {left: narrow ? 44 : 60, right: width - (first ? 0 : labelRoom) - 8, top: 28,
            bottom: height - 46};
        const x = makeScale(content.x, box.left + (first ? labelRoom : 0), box.right);
        const y = makeScale(content.y, box.bottom, box.top);
        drawAxes(svg, box, x, y, content);
        drawGuides(svg, content.guides || [], box, x, y);

        const held = at => Math.max(box.top - 2, Math.min(box.bottom + 2, y(at)));
        const path = (xs, ys) => ys.map((at, i) => at === null || !Number.isFinite(y(at)) ? ""
            : `${i === 0 || ys[i - 1] === null ? "M" : "L"}${x(xs[i]).toFixed(1)},${held(at).toFixed(1)}`
        ).join("");
        const classes = curve => ["curve", curve.thick && "thick", curve.faint && "faint",
            curve.dash !== "solid" && curve.dash].filter(Boolean).join(" ");
        const curves = content.curves.map((curve, c) => {
            const xs = curve.x || content.xs;
            const group = add(svg, node("g", {style: `color: var(--${curve.color})`}));
            if (curve.low) {
                const back = curve.high.map((_, i) => curve.high.length - 1 - i);
                const edge = path(xs, curve.low)
                    + path(back.map(i => xs[i]), back.map(i => curve.high[i])).replace("M", "L");
                group.append(node("path", {class: "band", d: `${edge}Z`}));
            }
            const d = path(xs, curve.y);
            const line = marks(String(c), add(group, node("path", {class: classes(curve), d})));
            return {curve, xs, group, line, d};
        });

        const ends = named.map(curve => {
            const known = at => at !== null;
            return y(first ? curve.y.find(known) : curve.y.findLast(known));
        });
        const placed = spread(ends, 16, box.top + 6, box.bottom - 2);
        named.forEach((curve, i) => {
            const place = first ? x((curve.x || content.xs)[0]) - 6 : box.right + gap;
            const text = add(svg, node("text", {x: place, y: placed[i] + 4,
                "text-anchor": first ? "end" : "start"}, curve.name));
            text.style.fill = `var(--${curve.color})`;
            text.style.fontWeight = 600;
        });

        drawInsideNames(svg, content.curves.filter(curve => curve.inside).map(curve => {
            const last = curve.y.findLastIndex(at => at !== null);
            return {...curve, x: x((curve.x || content.xs)[last]), y: held(curve.y[last])};
        }), box);

        const guide = add(svg, node("line", {class: "guide", y1: box.top, y2: box.bottom}));
        const dots = curves.filter(({curve}) => curve.dots).map(({curve, xs, group}) =>
            ({curve, xs, dot: add(group, node("circle", {class: "dot", r: 5}))}));
        const surface = add(svg, node("rect", {class: "surface", x: box.left, y: box.top,
            width: Math.max(0, box.right - box.left), height: Math.max(0, box.bottom - box.top)}));
        // Above the surface, so that a line can be pointed at; a press on it drags the marker too.
        const lift = curves.map(({d}, c) =>
            marks(String(c), add(svg, node("path", {class: "touch", d}))));
        const grip = add(svg, node("circle", {class: "grip", r: 9, cy: box.bottom}));
        const rides = content.handle === null ? null : curves[content.handle];
        const xMarks = content.marker.map(at => x(at));
        for (const target of [surface, grip, ...lift]) drags(target, {
            touch: "pan-y", cursor: "ew-resize",
            move: place => { value.index = nearest(xMarks, place); },
        });
        // Names stay readable where the marker's line passes.
        svg.append(...svg.querySelectorAll("text.halo"));
        return {
            draw() {
                const at = xMarks[value.index];
                guide.setAttribute("x1", at);
                guide.setAttribute("x2", at);
                grip.setAttribute("cx", at);
                if (rides) {
                    const level = rides.curve.y[nearest(rides.xs.map(x), at)];
                    grip.setAttribute("cy", level === null ? box.bottom : held(level));
                }
                for (const {curve, xs, dot} of dots) {
                    const i = nearest(xs.map(x), at), level = curve.y[i];
                    dot.style.display = level === null ? "none" : "";
                    if (level === null) continue;
                    dot.setAttribute("cx", at);
                    dot.setAttribute("cy", held(level));
                }
            },
            tip(key) {
                const {curve, xs} = curves[Number(key)];
                const i = nearest(xs.map(x), xMarks[value.index]);
                const level = curve.y[i];
                return `${curve.tip || curve.name}: ${level === null ? "none" : shortNumber(level)}`;
            },
        };
    },
};

// Dashed lines with their names: upright ones half way up, the first on its left, the last on its right.
function drawGuides(svg, guides, box, x, y) {
    const upright = guides.filter(guide => !guide.level).sort((a, b) => a.at - b.at);
    for (const guide of guides) {
        const ends = guide.level
            ? {x1: box.left, x2: box.right, y1: y(guide.at), y2: y(guide.at)}
            : {x1: x(guide.at), x2: x(guide.at), y1: box.top, y2: box.bottom};
        const line = node("line", {class: "guide dashed", ...ends});
        const rank = upright.indexOf(guide), last = rank === upright.length - 1;
        const after = guide.level || (last && upright.length > 1)
            || x(guide.at) < box.left + textWidth(guide.name, 13) + 8;
        const room = box.right - x(guide.at) < textWidth(guide.name, 13) + 8;
        const place = guide.level ? {x: box.left + 6, y: y(guide.at) + 16}
            : {x: x(guide.at) + (after && !room ? 5 : -5), y: (box.top + box.bottom) / 2 + (rank % 2) * 17};
        const text = node("text", {...place, class: "halo",
            "text-anchor": guide.level || (after && !room) ? "start" : "end"}, guide.name);
        for (const made of [line, text]) made.style.color = `var(--${guide.color})`;
        line.style.stroke = text.style.fill = "currentColor";
        svg.append(line, text);
    }
}

// Names at the ends of lines that end inside the picture; one that would cover another goes up.
MATHS.insideNames = ({ends, right, gap}) => insideNames(ends, right, gap);
function insideNames(ends, right, gap) {
    const placed = [];
    for (const end of [...ends].sort((a, b) => a.x - b.x)) {
        const put = {...end, x: Math.min(end.x + 6, right - end.width), y: end.y - 6};
        const covers = other => Math.abs(other.y - put.y) < gap
            && other.x < put.x + put.width && put.x < other.x + other.width;
        while (placed.some(covers)) put.y -= gap;
        placed.push(put);
    }
    return placed;
}

function drawInsideNames(svg, curves, box) {
    const ends = curves.map(curve => ({...curve, width: textWidth(curve.name, 13, true)}));
    for (const put of insideNames(ends, box.right, 17)) {
        const text = node("text", {x: put.x, y: put.y, class: "halo"}, put.name);
        text.style.fill = `var(--${put.color})`;
        text.style.fontWeight = 600;
        svg.append(text);
    }
}
