// Curves that move with the value over axes that stay: of a family, the member on show.

KINDS.family = {
    build({svg, width, height, narrow, content, value, add, marks}) {
        const names = content.curves.map(curve => textWidth(curve.name, 13, true));
        const room = Math.min(narrow ? width * 0.34 : width * 0.25, 18 + Math.max(...names));
        const box = {left: narrow ? 44 : 60, right: width - room, top: 28, bottom: height - 46};
        const x = makeScale(content.x, box.left, box.right);
        const y = makeScale(content.y, box.bottom, box.top);
        drawAxes(svg, box, x, y, content);
        const drawn = content.curves.map((curve, c) => {
            const group = add(svg, node("g", {style: `color: var(--${curve.color})`}));
            const look = ["curve", curve.thick && "thick", curve.dash].filter(Boolean).join(" ");
            const line = marks(String(c), add(group, node("path", {class: look})));
            const dots = content.xs.map(at => add(group, node("circle", {class: "dot", r: 4, cx: x(at)})));
            const name = add(svg, node("text", {class: "halo name", style: `fill: var(--${curve.color})`}));
            return {curve, line, dots, name};
        });
        return {
            draw() {
                const now = content.curves.map(curve => curve.ys[value.index]);
                const there = drawn.filter((_, c) => now[c].some(at => at !== null));
                const placed = spread(there.map(({curve}) => y(curve.ys[value.index].findLast(at => at !== null))),
                    16, box.top + 6, box.bottom - 2);
                drawn.forEach(({line, dots}, c) => {
                    line.setAttribute("d", linePath(content.xs, now[c], x, y));
                    dots.forEach((dot, i) => {
                        dot.style.display = now[c][i] === null ? "none" : "";
                        if (now[c][i] !== null) dot.setAttribute("cy", y(now[c][i]));
                    });
                });
                // At its curve's end; of one that is nowhere, under the others and with what that means.
                let below = 0;
                for (const each of [...drawn].reverse()) {
                    const place = there.indexOf(each);
                    setText(each.name, place < 0 ? `${each.curve.name}: ${content.nowhere}` : each.curve.name);
                    each.name.setAttribute("text-anchor", place < 0 ? "end" : "start");
                    each.name.setAttribute("x", place < 0 ? box.right - 6 : box.right + 10);
                    each.name.setAttribute("y", place < 0 ? box.bottom - 10 - 17 * below++ : placed[place] + 4);
                }
            },
            tip: key => drawn[Number(key)].curve.name,
        };
    },
};
