// Bars under a water line that is dragged up and down: what stands out of the water is kept.

KINDS.bars = {
    build({svg, width, height, narrow, content, value, add, marks, drags}) {
        const box = {left: narrow ? 44 : 60, right: width - (narrow ? 8 : 110), top: 28,
            bottom: height - 46};
        const y = makeScale(content.y, box.bottom, box.top);
        const step = (box.right - box.left) / content.names.length;
        const x = i => box.left + (i + 0.5) * step;
        x.ticks = [];
        drawAxes(svg, box, x, y, content);
        const widest = Math.max(...content.names.map(name => textWidth(name, 13)));
        const every = Math.max(1, Math.ceil((widest + 8) / step));
        const bars = content.names.map((name, i) => {
            if (i % every === 0) add(svg, node("text",
                {x: x(i), y: box.bottom + 18, "text-anchor": "middle"}, name));
            const shape = {x: x(i) - step * 0.38, width: step * 0.76};
            const group = add(svg, node("g", {style: `color: var(--${content.colors[i]})`}));
            return ["under", "above"].map(part => marks(String(i), add(group, node("rect",
                {class: part === content.keeps ? "bar kept" : "bar", ...shape}))));
        });
        if (content.settled !== null) {
            const at = y(content.settled);
            svg.append(node("line",
                {class: "guide dashed", x1: box.left, x2: box.right, y1: at, y2: at}));
            svg.append(node("text", {x: narrow ? box.right - 14 : box.right + 16,
                y: narrow ? at - 6 : at + 4, "text-anchor": narrow ? "end" : "start"},
                content.settled_name));
        }
        const surface = add(svg, node("rect", {class: "surface", x: box.left, y: box.top,
            width: Math.max(0, box.right - box.left), height: Math.max(0, box.bottom - box.top)}));
        const line = add(svg, node("line", {class: "guide", x1: box.left, x2: box.right}));
        const grip = add(svg, node("circle", {class: "grip", r: 10, cx: box.right}));
        const levels = content.levels.map(level => y(level));
        const move = (_, place) => { value.index = nearest(levels, place); };
        for (const target of [surface, grip, ...bars.flat()])
            drags(target, {touch: "pan-x", cursor: "ns-resize", move});
        svg.append(...bars.flat().map(bar => bar.parentNode));
        svg.append(line, grip);
        const crosses = content.crosses ? content.names.map((_, i) =>
            marks(String(i), add(svg, node("path", {class: "cross"})))) : [];
        const set = (bar, from, to) => {
            bar.setAttribute("y", Math.min(y(from), y(to)));
            bar.setAttribute("height", Math.abs(y(from) - y(to)));
        };
        const floor = Math.max(0, content.y.range[0]);  // the axis may go lower, for the crosses
        const heights = unpacked(content.heights), n = content.names.length;
        const height_ = i => heights[heights.length === n ? i : value.index * n + i];
        return {
            draw() {
                const level = content.levels[value.index];
                bars.forEach(([under, above], i) => {
                    const top = height_(i);
                    set(under, floor, Math.min(top, level));
                    set(above, Math.min(top, level), top);
                });
                crosses.forEach((cross, i) => {
                    const at = content.crosses[value.index][i];
                    cross.setAttribute("d", at === null ? ""
                        : `M${x(i) - 8},${y(at) - 8}l16,16m0,-16l-16,16`);
                });
                line.setAttribute("y1", y(level));
                line.setAttribute("y2", y(level));
                grip.setAttribute("cy", y(level));
            },
            tip(key) {
                const i = Number(key), level = content.levels[value.index];
                const above = Math.max(0, height_(i) - level);
                const kept = content.keeps === "above" ? above : height_(i) - above;
                return `${content.names[i]}: ${shortNumber(height_(i))}, `
                    + `${shortNumber(kept)} ${content.keeps} the line`;
            },
        };
    },
};
