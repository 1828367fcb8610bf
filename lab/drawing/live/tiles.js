// Panels of signed tiles on one colour scale: a row per group, blue positive, orange negative.

const CLAIM = 20;  // pixels for the tick before a claim

// A sentence with a box before it, which is ticked where the panel shows what it says.
function drawClaim(svg, lines, x, y) {
    const group = node("g", {class: "claim"});
    group.append(node("rect", {class: "box", x: x + 1, y: y + 1, width: 12, height: 12, rx: 2}));
    group.append(node("path", {class: "tick", d: `M${x + 3.5},${y + 7}l2.7,3l4.6,-6`}));
    lines.forEach((line, i) => group.append(
        node("text", {x: x + CLAIM, y: y + 11 + 15 * i}, line)));
    svg.append(group);
    return group;
}

// A mark for every draw, full where the claim held in it.
function drawStrip(svg, draws, x, y, width) {
    const said = node("text", {class: "muted", x: x + width, y: y + 13, "text-anchor": "end"});
    const room = width - 8 - textWidth(`${draws} of ${draws} draws`, 13);
    const step = Math.min(12, room / draws);
    const marks = Array.from({length: draws}, (_, i) => node("rect",
        {class: "draw", x: x + i * step, y: y + 3, width: step * 0.6, height: 11, rx: 1}));
    svg.append(...marks, said);
    return held => {
        marks.forEach((mark, i) => mark.classList.toggle("seen", held[i] === "1"));
        setText(said, `${[...held].filter(one => one === "1").length} of ${draws} draws`);
    };
}

KINDS.tiles = {
    build({svg, width, height, narrow, content, value, add, marks}) {
        const {rows, columns, panels, row_names: names} = content;
        const size = rows * columns;
        const values = panels.map(panel => unpacked(panel.weights));
        const across = Math.min(panels.length, narrow ? content.phone_across : content.across);
        const down = Math.ceil(panels.length / across);
        const gutter = narrow ? 10 : 22;
        const left = names.length && !narrow
            ? 10 + Math.max(...names.map(name => textWidth(name, 13))) : 0;
        const panelWidth = (width - left - gutter * (across - 1)) / across;
        const panelHeight = height / down;
        // What is said of a panel beforehand, to be ticked or not, has as many lines as it needs.
        const claims = panels.map(panel =>
            panel.claim ? wrapped(panel.claim, panelWidth - CLAIM, 13) : []);
        const claimLines = Math.max(...claims.map(lines => lines.length));
        const captionLines = Math.max(...panels.flatMap(panel =>
            panel.captions.map(caption => wrapped(caption, panelWidth, 13).length)));
        const words = 23 + 15 * captionLines + (claimLines ? 15 * claimLines + 6 : 0);
        const foot = panels.some(panel => panel.draws) ? 26 : 0;
        const step = [panelWidth / columns, (panelHeight - words - foot - 6) / rows];
        const gap = [Math.min(2, step[0] / 5), Math.min(4, step[1] / 4)];
        const named = Math.ceil(14 / step[1]);  // where rows are low, every so many of them
        const strongestOf = lists => Math.max(1e-300, ...lists.map(list =>
            list.reduce((most, w) => Math.max(most, Math.abs(w)), 0)));
        let strongest = strongestOf(values);
        const outlined = new Set(content.outlined);
        // The word "empty" stands in a row's widest stretch without an outline.
        const freeMiddle = row => {
            let from = -1, best = [0, 0];
            for (let column = 0; column <= columns; column += 1) {
                if (column < columns && !outlined.has(row * columns + column)) continue;
                if (column - from > best[1] - best[0]) best = [from, column];
                from = column;
            }
            return (best[0] + best[1] + 1) / 2 * step[0];
        };

        const drawn = panels.map((panel, p) => {
            const x0 = left + (p % across) * (panelWidth + gutter);
            const y0 = Math.floor(p / across) * panelHeight;
            const name = add(svg, node("text", {x: x0, y: y0 + 15, class: "strong"}, panel.name));
            const caption = add(svg, node("text", {x: x0, class: "muted"}));
            const tiles = [], empties = [];
            for (let row = 0; row < rows; row += 1) {
                const y = y0 + words + row * step[1];
                if (left && p % across === 0 && row % named === 0) add(svg, node("text",
                    {x: left - 10, y: y + step[1] / 2 + 4, "text-anchor": "end", class: "muted"},
                    names[row]));
                for (let column = 0; column < columns; column += 1) {
                    const i = row * columns + column;
                    const tile = add(svg, node("rect", {
                        x: x0 + column * step[0] + gap[0] / 2, y: y + gap[1] / 2,
                        width: step[0] - gap[0], height: step[1] - gap[1], rx: 1.5,
                        class: outlined.has(i) ? "tile outlined" : "tile"}));
                    tile.dataset.panel = p;
                    tiles.push(marks(String(i), tile));
                }
                empties.push(add(svg, node("text", {x: x0 + freeMiddle(row), y: y + step[1] / 2 + 4,
                    "text-anchor": "middle", class: "muted empty"})));
            }
            const below = y0 + words - 15 * claimLines - 1;
            const tick = claims[p].length ? drawClaim(svg, claims[p], x0, below) : null;
            const strip = panel.draws
                ? drawStrip(svg, panel.draws[0].length, x0, y0 + panelHeight - foot + 4, panelWidth)
                : null;
            if (content.shared) {
                const x = x0 + (columns - content.shared) * step[0];
                add(svg, node("line", {class: "guide dashed", x1: x, x2: x, y1: y0 + words,
                    y2: y0 + words + rows * step[1]}));
            }
            return {name, caption, tick, strip, x0, y0, tiles, empties,
                shown: new Array(size).fill(0)};
        });

        // A panel with one frame stands still.
        const start = p => values[p].length === size ? 0 : value.index * size;
        const paint = (tile, w) => {
            tile.classList.toggle("positive", w > 0);
            tile.classList.toggle("negative", w < 0);
            tile.setAttribute("fill-opacity",
                w === 0 ? 1 : (0.14 + 0.86 * Math.abs(w) / strongest).toFixed(3));
        };
        const drawCaption = (panel, text) => {
            if (panel.said === text) return;
            panel.said = text;
            const lines = wrapped(text, panelWidth, 13);
            panel.caption.replaceChildren(...lines.map((line, i) =>
                node("tspan", {x: panel.x0, y: panel.y0 + 31 + 15 * i - (lines.length > 1 ? 1 : 0)},
                    line)));
        };
        return {
            draw() {
                if (content.scale === "frame") {
                    const before = strongest;
                    strongest = strongestOf(values.map((list, p) =>
                        list.subarray(start(p), start(p) + size)));
                    if (before !== strongest)
                        for (const panel of drawn) panel.shown.fill(undefined);
                }
                drawn.forEach((panel, p) => {
                    const from = start(p);
                    for (let row = 0; row < rows; row += 1) {
                        let kept = 0;
                        for (let column = 0; column < columns; column += 1) {
                            const i = row * columns + column, w = values[p][from + i];
                            if (w !== 0) kept += 1;
                            if (panel.shown[i] !== w) paint(panel.tiles[i], w);
                            panel.shown[i] = w;
                        }
                        // Rows lower than the word would have it across each other; captions count them.
                        setText(panel.empties[row], kept || step[1] < 14 ? "" : "empty");
                    }
                    const captions = panels[p].captions;
                    drawCaption(panel, captions[captions.length === 1 ? 0 : value.index]);
                    if (panel.tick)
                        panel.tick.classList.toggle("seen", panels[p].seen[value.index] === "1");
                    if (panel.strip) panel.strip(panels[p].draws[value.index]);
                });
            },
            tip(key) {
                const i = Number(key);
                const lines = panels.map((panel, p) =>
                    `${panel.short}: ${shortNumber(values[p][start(p) + i])}`);
                return [content.tile_names[i], ...lines].join("\n");
            },
        };
    },
};
