// Shares between 0 and 1 as shade over two axes, lines over them, and a marker on one column.

KINDS.shade = {
    // The slider's steps are as far from each other as the marker's places.
    sharesOf: ({y, marker}) =>
        MATHS.sharesAlong({axis: {...y, range: [marker[0], marker.at(-1)]}, marks: marker}),

    build({svg, width, height, narrow, content, value, add, marks, drags}) {
        const left = narrow ? 48 : 60, keys = keyRows(content.lines, narrow ? 0 : left, width);
        const rowsBelow = Math.max(0, ...keys.map(key => key.row));
        const box = {left, right: width - 12, top: 28, bottom: height - 68 - 20 * rowsBelow};
        const x = makeScale(content.x, box.left, box.right);
        const y = makeScale(content.y, box.bottom, box.top);
        const columns = edges(content.columns, x), rows = edges(content.rows, y);
        const shares = unpacked(content.shares);
        drawAxes(svg, box, x, y, content);
        const tiles = add(svg, node("g"));
        content.rows.forEach((_, row) => content.columns.forEach((_, column) => {
            const share = shares[row * content.columns.length + column];
            if (share < 0) return;  // there is none
            const place = {x: columns[column], width: columns[column + 1] - columns[column],
                y: rows[row + 1], height: rows[row] - rows[row + 1]};
            tiles.append(node("rect", {class: "tile", ...place}));
            marks(`${row},${column}`, add(tiles, node("rect",
                {class: "tile positive", "fill-opacity": share.toFixed(4), ...place})));
        }));
        content.lines.forEach(({points, name, color, dash}, i) => {
            const places = points.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`);
            const style = {class: `curve thick ${dash}`, style: `color: var(--${color})`};
            const line = {points: places.join(" "), "pointer-events": "none"};
            svg.append(node("polyline", {...line, class: "casing"}), node("polyline", {...style, ...line}));
            const {at, row} = keys[i], low = height - 4 - 20 * (rowsBelow - row);
            svg.append(node("line", {...style, x1: at, x2: at + 26, y1: low - 4, y2: low - 4}));
            svg.append(node("text", {x: at + 32, y: low}, name));
        });
        const here = x(content.at), end = box.left + 14 + textWidth(content.corner, 13);
        svg.append(node("text", {x: here < end ? here + 8 : box.left + 8, y: box.top + 18,
            class: "muted halo"}, content.corner));
        const guide = add(svg, node("line", {class: "guide dashed", x1: here, x2: here,
            y1: box.top, y2: box.bottom}));
        const grip = add(svg, node("circle", {class: "grip", r: 10, cx: here}));
        const places = content.marker.map(level => y(level));
        for (const target of [grip, tiles]) drags(target, {
            touch: target === grip ? "none" : "pan-y", cursor: "ns-resize",
            move: (_, place) => { value.index = nearest(places, place); },
        });
        svg.append(guide, grip);
        return {
            draw() { grip.setAttribute("cy", places[value.index]); },
            tip(key) {
                const [row, column] = key.split(",").map(Number);
                const share = shares[row * content.columns.length + column];
                return `${content.names[0]} = ${content.columns[column].toLocaleString("en")}, `
                    + `${content.names[1]} = ${content.rows[row].toLocaleString("en")}: `
                    + `${content.names[2]} = ${shortNumber(share)}`;
            },
        };
    },
};

// Where the names of lines stand below the picture: in another row where one has no room.
function keyRows(lines, left, width) {
    let at = left, row = 0;
    return lines.map(({name}) => {
        const wide = 32 + textWidth(name, 13);
        if (at > left && at + wide > width) { at = left; row += 1; }
        const key = {at, row};
        at += wide + 18;
        return key;
    });
}

// Where tiles begin and end: half way between their places, on the scale's own terms.
function edges(values, scale) {
    const places = values.map(value => scale(value)), last = places.length - 1;
    if (last < 1) return [places[0] - 20 * Math.sign(scale(2) - scale(1)),
        places[0] + 20 * Math.sign(scale(2) - scale(1))];
    const between = places.slice(1).map((place, i) => (place + places[i]) / 2);
    return [2 * places[0] - between[0], ...between, 2 * places[last] - between[last - 1]];
}
