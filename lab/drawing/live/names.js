// Names inside a picture, put where they cover no line and no other name.

const CAPITAL = 12, TAIL = 4, ROW = 15, CLEAR = 3;  // of letters around their baseline, in pixels

// Places every few pixels along lines of places; null is a gap.
function placesAlong(lines) {
    return lines.flatMap(line => line.flatMap((to, i) => {
        const from = line[i - 1];
        if (!to || !from) return to ? [to] : [];
        const steps = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / CLEAR));
        return Array.from({length: steps}, (_, k) =>
            from.map((at, axis) => at + (to[axis] - at) * (k + 1) / steps));
    }));
}

// A name's outline; `x` and `y` begin the baseline of its first row.
const outline = ({x, y, width, rows = 1}) => ({left: x - CLEAR, right: x + width + CLEAR,
    top: y - CAPITAL - CLEAR, bottom: y + TAIL + CLEAR + (rows - 1) * ROW});

// Takes a name's candidates and gives the first that covers nothing, or else the one that covers
// least, and no other name if it can be helped.
function makePlacer(lines) {
    const places = placesAlong(lines), taken = [];
    const covered = put => {
        const {left, right, top, bottom} = outline(put);
        const over = places.filter(([x, y]) => left < x && x < right && top < y && y < bottom);
        const names = taken.map(outline).filter(other => left < other.right && other.left < right
            && top < other.bottom && other.top < bottom);
        return over.length + 1000 * names.length;
    };
    return candidates => {
        let put = candidates[0], least = Infinity;
        for (const each of candidates) {
            const now = covered(each);
            if (now < least) [put, least] = [each, now];
            if (least === 0) break;
        }
        taken.push(put);
        return put;
    };
}

// Beside an upright line: on the side that is wanted, from half way up outwards; in two rows where
// one finds no place. `forms` are the ways to write it, each with its width and rows.
MATHS.besideUpright = ({lines, ...of}) => makePlacer(lines)(besideUpright(of));
function besideUpright({at, forms, box, width, after}) {
    const sides = after ? [1, -1] : [-1, 1], found = [];
    for (const form of forms) for (const side of sides) {
        const x = side > 0 ? at + 5 : at - 5 - form.width;
        const low = box.top + 16, high = box.bottom - 8 - (form.rows - 1) * ROW;
        const heights = [];
        for (let y = low; y <= high; y += 6) heights.push(y);
        const middle = (low + high) / 2;
        heights.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
        if (x >= box.left && x + form.width <= width)
            found.push(...heights.map(y => ({...form, x, y, side})));
    }
    return found.length ? found : [{...forms[0], x: box.left, y: (box.top + box.bottom) / 2, side: 1}];
}

// Along a level line, under it and from the left, else above it.
function alongLevel({at, form, box}) {
    const found = [];
    for (const y of [at + 16, at - 9]) for (let x = box.left + 6; x + form.width <= box.right; x += 12)
        found.push({...form, x, y});
    return found.length ? found : [{...form, x: box.left + 6, y: at + 16}];
}

// Over a level line, from the left; further above it where that covers something.
function overLevel({at, form, box}) {
    const found = [];
    for (const off of [7, 20, 33, 46, 59]) for (let x = box.left + 6; x + form.width <= box.right; x += 12)
        found.push({...form, x, y: at - off});
    return found;
}

// Along a curve and inside the box: as near to it as can be, above or below, from its end backwards.
MATHS.alongCurve = ({lines, curves, box}) => {
    const place = makePlacer(lines);
    return curves.map(({places, form}) => place(alongCurve({places, form, box})));
};
function alongCurve({places, form, box}) {
    const found = [];
    for (const off of [-8, 18, -20, 30, -32, 42, -44, -56, -68]) for (const [a, b] of [...places].reverse()) {
        const x = Math.min(a, box.right - 6) - form.width, y = b + off;
        if (x >= box.left + 4 && y >= box.top + 12 && y <= box.bottom - 8) found.push({...form, x, y});
    }
    const [a, b] = places[places.length - 1];
    return found.length ? found : [{...form, x: Math.max(box.left, a - form.width), y: b - 8}];
}

// Around the end of a line that ends inside the picture, the nearest first; but before those that
// could be taken for the name of another end.
MATHS.aroundEnds = ({ends, box, lines}) => {
    const place = makePlacer(lines);
    return ends.map(end => place(aroundEnd(end, box, ends)));
};
function aroundEnd(end, box, ends) {
    const others = ends.filter(each => each.x !== end.x || each.y !== end.y), found = [];
    for (let y = box.top + 14; y <= box.bottom - 8; y += 5)
        for (let x = box.left + 4; x + end.width <= box.right; x += 5) {
            const [nearX, nearY] = nearestOf({x, y, width: end.width}, end);
            const far = Math.hypot(nearX - end.x, nearY - end.y);
            const vague = others.some(other => {
                const [x2, y2] = nearestOf({x, y, width: end.width}, other);
                return Math.hypot(x2 - other.x, y2 - other.y) < 3 * far + 20;
            });
            found.push({...end, x, y, far, vague, end});
        }
    return found.sort((a, b) => a.vague - b.vague || a.far - b.far);
}

// The place of a name's outline that is nearest to another place.
function nearestOf(put, {x, y}) {
    const {left, right, top, bottom} = outline(put);
    return [Math.max(left, Math.min(right, x)), Math.max(top, Math.min(bottom, y))];
}

// How a name can be written: in one row, or in two of about one length.
function formsOf(name) {
    const words = name.split(" "), one = {texts: [name], width: textWidth(name, 13), rows: 1};
    const cuts = words.slice(1).map((_, i) =>
        [words.slice(0, i + 1).join(" "), words.slice(i + 1).join(" ")]);
    const two = cuts.map(texts =>
        ({texts, width: Math.max(...texts.map(text => textWidth(text, 13))), rows: 2}));
    return [one, ...two.sort((a, b) => a.width - b.width).slice(0, 1)];
}

function drawName(svg, {texts, x, y, width, side = 1}, color) {
    const place = side > 0 ? x : x + width;
    const text = node("text", {class: "halo", "text-anchor": side > 0 ? "start" : "end"});
    text.append(...texts.map((words, i) => node("tspan", {x: place, y: y + i * ROW}, words)));
    text.style.fill = `var(--${color})`;
    svg.append(text);
    return text;
}

// Dashed lines, `under` the curves, with their names.
function drawGuides(svg, under, guides, box, x, y, place, width) {
    const upright = guides.filter(guide => !guide.level).sort((a, b) => a.at - b.at);
    for (const guide of guides) {
        const at = guide.level ? y(guide.at) : x(guide.at);
        const line = node("line", {class: "guide dashed", ...(guide.level
            ? {x1: box.left, x2: box.right, y1: at, y2: at}
            : {x1: at, x2: at, y1: box.top, y2: box.bottom})});
        line.style.stroke = `var(--${guide.color})`;
        under.append(line);
        const forms = formsOf(guide.name);
        // Of several the last has its name on its right, away from the others.
        const after = upright.length > 1 && guide === upright[upright.length - 1];
        drawName(svg, place(guide.level ? alongLevel({at, form: forms[0], box})
            : besideUpright({at, forms, box, width, after})), guide.color);
    }
}

// Names of lines that end inside the picture; a thin line leads to one that stands far from its end.
function drawInsideNames(svg, ends, box, place) {
    for (const end of [...ends].sort((a, b) => a.x - b.x)) {
        const width = textWidth(end.name, 13, true);
        const put = place(aroundEnd({...end, width, texts: [end.name], rows: 1}, box, ends));
        if (put.far > 8) {
            const [x2, y2] = nearestOf(put, end);
            const leader = node("line", {class: "leader", x1: end.x, y1: end.y, x2, y2});
            leader.style.color = `var(--${end.color})`;
            svg.append(leader);
        }
        drawName(svg, put, end.color).style.fontWeight = 600;
    }
}
