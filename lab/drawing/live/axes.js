// Axes of lines, bars and planes: scales, ticks, and labels that do not cover each other.

function makeScale(axis, from, to) {
    const warp = axis.scale === "log" ? Math.log10 : x => x;
    const unwarp = axis.scale === "log" ? x => 10 ** x : x => x;
    const [low, high] = axis.range.map(warp);
    const slope = (to - from) / ((high - low) || 1);
    const scale = x => from + slope * (warp(x) - low);
    scale.invert = place => unwarp(low + (place - from) / slope);
    scale.ends = [from, to].sort((a, b) => a - b);
    scale.ticks = ticksOf(axis, Math.abs(to - from));
    return scale;
}

MATHS.ticks = ({axis, pixels}) => ticksOf(axis, pixels);
function ticksOf(axis, pixels) {
    if (axis.ticks) return axis.ticks;
    const [low, high] = axis.range;
    const most = Math.max(2, Math.floor(pixels / 60));
    if (axis.scale === "log") {
        const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
        const every = Math.max(1, Math.ceil((last - first + 1) / most));
        const found = [];
        for (let power = first; power <= last; power += every) found.push(10 ** power);
        if (last - first < 2) for (let power = first - 1; power <= last; power += 1)
            for (const lead of [2, 5]) found.push(lead * 10 ** power);
        return found.filter(x => x >= low * (1 - 1e-9) && x <= high * (1 + 1e-9))
            .sort((a, b) => a - b).map(x => [x, shortNumber(x)]);
    }
    const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find(lead => lead * power >= rough * (1 - 1e-9));
    const found = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i += 1)
        found.push([i * step, shortNumber(+(i * step).toPrecision(12))]);
    return found;
}

// Places as near as can be to those wanted, at least `gap` apart, between low and high if they fit.
MATHS.spread = ({places, gap, low, high}) => spread(places, gap, low, high);
function spread(places, gap, low, high) {
    const order = places.map((place, i) => i).sort((a, b) => places[a] - places[b]);
    const put = order.map(i => Math.max(low, Math.min(high, places[i])));
    for (let i = 1; i < put.length; i += 1) put[i] = Math.max(put[i], put[i - 1] + gap);
    if (put.length && put[put.length - 1] > high) {
        put[put.length - 1] = high;
        for (let i = put.length - 2; i >= 0; i -= 1) put[i] = Math.min(put[i], put[i + 1] - gap);
    }
    const placed = new Array(places.length);
    order.forEach((i, rank) => { placed[i] = put[rank]; });
    return placed;
}

// Which numbers along an axis have room for their words: the roundest first, so that where 1, 2 and 5
// are too many it is 2 and 5 that go.
MATHS.fitting = ({places, widths, round}) => fitting(places, widths, round);
function fitting(places, widths, round) {
    const kept = [], order = places.map((place, i) => i).sort((a, b) => round[b] - round[a]);
    const apart = (i, j) => Math.abs(places[i] - places[j]) >= (widths[i] + widths[j]) / 2 + 8;
    for (const i of order) if (kept.every(j => apart(i, j))) kept.push(i);
    return kept.sort((a, b) => a - b);
}

// Grid, numbers and names of both axes, around a box of the picture.
function drawAxes(svg, box, x, y, content) {
    const power = at => content.x.scale === "log" && Math.abs(Math.log10(at) % 1) < 1e-9;
    const told = fitting(x.ticks.map(([at]) => x(at)), x.ticks.map(([, words]) => textWidth(words, 13)),
        x.ticks.map(([at]) => +power(at)));
    x.ticks.forEach(([at, words], i) => {
        svg.append(node("line", {class: "grid", x1: x(at), x2: x(at), y1: box.top, y2: box.bottom}));
        if (!told.includes(i)) return;
        svg.append(node("text", {x: x(at), y: box.bottom + 20, "text-anchor": "middle"}, words));
    });
    for (const [at, words] of y.ticks) {
        svg.append(node("line", {class: "grid", x1: box.left, x2: box.right, y1: y(at), y2: y(at)}));
        svg.append(node("text", {x: box.left - 8, y: y(at) + 4, "text-anchor": "end"}, words));
    }
    svg.append(node("line",
        {class: "axis", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom}));
    svg.append(node("text", {x: (box.left + box.right) / 2, y: box.bottom + 38,
        "text-anchor": "middle"}, content.x.label));
    svg.append(node("text", {x: Math.max(0, box.left - 44), y: box.top - 10},
        content.y.label));
}

// A line through places, broken where there is none; `held` keeps it inside its picture.
function linePath(xs, ys, x, y, held = y) {
    return ys.map((at, i) => at === null || !Number.isFinite(y(at)) ? ""
        : `${i === 0 || ys[i - 1] === null ? "M" : "L"}${x(xs[i]).toFixed(1)},${held(at).toFixed(1)}`
    ).join("");
}

function nearest(places, wanted) {
    let best = 0;
    places.forEach((place, i) => {
        if (Math.abs(place - wanted) < Math.abs(places[best] - wanted)) best = i;
    });
    return best;
}
