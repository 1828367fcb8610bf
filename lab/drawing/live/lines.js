// Curves with a marker that follows the value and can be dragged along the axis.

KINDS.lines = {
    // The slider's steps stand where the marker does.
    sharesOf: content => MATHS.sharesAlong({axis: content.x, marks: content.marker}),

    build({svg, width, height, narrow, content, value, add, marks, drags, along}) {
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
        along(...x.ends);
        const under = add(svg, node("g"));

        const held = at => Math.max(box.top - 2, Math.min(box.bottom + 2, y(at)));
        const guides = content.guides || [];
        const place = makePlacer([
            ...content.curves.filter(curve => !curve.faint).map(curve => curve.y.map((at, i) =>
                at === null ? null : [x((curve.x || content.xs)[i]), held(at)])),
            ...guides.map(({at, level}) => level ? [[box.left, y(at)], [box.right, y(at)]]
                : [[x(at), box.top], [x(at), box.bottom]]),
        ]);
        const path = (xs, ys) => linePath(xs, ys, x, y, held);
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
            const side = first ? x((curve.x || content.xs)[0]) - 6 : box.right + gap;
            const width = textWidth(curve.name, 13, true);
            place([{x: first ? side - width : side, y: placed[i] + 4, width}]);
            const text = add(svg, node("text", {x: side, y: placed[i] + 4,
                "text-anchor": first ? "end" : "start"}, curve.name));
            text.style.fill = `var(--${curve.color})`;
            text.style.fontWeight = 600;
        });

        drawGuides(svg, under, guides, box, x, y, place, width);
        drawInsideNames(svg, content.curves.filter(curve => curve.inside).map(curve => {
            const last = curve.y.findLastIndex(at => at !== null);
            return {name: curve.name, color: curve.color, x: x((curve.x || content.xs)[last]),
                y: held(curve.y[last])};
        }), box, place);

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
