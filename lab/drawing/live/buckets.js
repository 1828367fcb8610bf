// Marked features fall into buckets, and a histogram of the draws so far grows beside them.

// How many draws fell into each bin, and how many the law expects there.
MATHS.histogram = ({falls, law, draws}) => histogramOf(falls, law, draws);
function histogramOf(falls, law, draws) {
    const seen = new Array(law.length).fill(0);
    for (let k = 0; k < draws; k += 1) seen[falls[k]] += 1;
    return {seen, expected: law.map(share => share * draws)};
}

// Columns and rows of marks in a bucket: as square as they can be, the highest count just fitting.
MATHS.bucketGrid = given => bucketGrid(given);
function bucketGrid({most, width, height}) {
    for (let columns = 1; ; columns += 1) {
        const side = width / columns, rows = Math.ceil(most / columns);
        if (side * rows <= height || side < 2)
            return {columns, side, tall: Math.min(height / rows, side * 3)};
    }
}

// The count that a bucket has room for: the mark that none may pass too, where it is not far above all.
MATHS.bucketRoom = given => bucketRoom(given);
function bucketRoom({counts, ratio}) {
    const most = Math.max(1, ...counts.flat());
    const mark = ratio * Math.max(...counts.map(row => Math.min(...row)));
    return mark <= 1.6 * most ? Math.max(most, Math.ceil(mark)) : most;
}

KINDS.buckets = {
    build({svg, width, height, narrow, content, value, add, marks, moved}) {
        const gap = narrow ? 0 : 40;
        const left = narrow ? {left: 0, right: width, top: 30, bottom: height * 0.5}
            : {left: 0, right: width * 0.6 - gap, top: 42, bottom: height - 28};
        const right = narrow ? {left: 34, right: width - 6, top: height * 0.5 + 66, bottom: height - 24}
            : {left: width * 0.6 + 30, right: width - 6, top: 42, bottom: height - 28};
        const row = drawBuckets({svg, box: left, content, add, marks});
        const histogram = drawHistogram({svg, box: right, content: content.histogram, add, marks});
        let counts = [], shown = null;
        return {
            draw() {
                const {draws} = content;
                counts = row.counts(value.index);
                row.draw(counts);
                histogram.draw(draws[value.index]);
                // A new draw falls; scrubbing through many does not wait for each.
                if (shown !== null && moved() && value.index !== shown) row.fall();
                shown = value.index;
            },
            tip(key) {
                const [what, i] = key.split(":");
                return what === "bucket" ? `${content.names[i]}: ${counts[i]} true`
                    : histogram.tip(Number(i));
            },
        };
    },
};

function drawBuckets({svg, box, content, add, marks}) {
    const n = content.names.length, all = unpacked(content.counts);
    const counts = frame => Array.from({length: n}, (_, i) => Math.round(all[frame * n + i]));
    const most = bucketRoom({ratio: content.ratio, counts: content.draws.map((_, k) => counts(k))});
    const step = (box.right - box.left) / n, inner = step * (n > 60 ? 1 : 0.82);
    const room = (box.bottom - box.top) * 0.92;
    const {columns, side, tall} = bucketGrid({most, width: inner, height: room});
    const heightOf = count => count / columns * tall;
    for (const [name, color] of [["true", "--positive"], ["over", "--negative"], ["other", "--st-border-color"]]) {
        const pattern = node("pattern", {id: `mark-${name}`, patternUnits: "userSpaceOnUse",
            width: side, height: tall});
        const mark = node("rect", {x: side * 0.08, y: tall * 0.08, width: side * 0.84,
            height: tall * 0.84, rx: Math.min(side, tall) * 0.2});
        mark.style.fill = `var(${color})`;
        if (name === "other") mark.style.fillOpacity = 0.45;
        pattern.append(mark);
        svg.append(pattern);
    }
    add(svg, node("text", {x: box.left, y: 14, class: "strong"}, content.label));
    const buckets = content.names.map((_, i) => {
        // Its own origin at the bucket's bottom, so that the pattern begins there.
        const place = `translate(${box.left + i * step + (step - inner) / 2},${box.bottom})`;
        const group = add(svg, node("g", {transform: place}));
        const others = add(group, node("rect", {width: inner, fill: "url(#mark-other)"}));
        const falling = add(group, node("g", {class: "falling"}));
        const [whole, rest] = [0, 1].map(() => add(falling, node("rect", {})));
        const wall = n > 60 ? "" : `M0,${box.top - box.bottom}V1H${inner}V${box.top - box.bottom}`;
        add(group, node("path", {class: "wall", d: wall}));
        marks(`bucket:${i}`, add(group, node("rect", {class: "surface", y: box.top - box.bottom,
            width: inner, height: box.bottom - box.top})));
        return {group, others, falling, whole, rest};
    });
    const limit = add(svg, node("line", {class: "guide dashed", x1: box.left, x2: box.right}));
    const [limitName, fullest, emptiest] = [0, 1, 2].map(() => add(svg, node("text", {class: "halo"})));
    add(svg, node("line", {class: "axis", x1: box.left, x2: box.right, y1: box.bottom + 1,
        y2: box.bottom + 1}));

    const write = (text, words, i, y) => {
        setText(text, words);
        const x = box.left + (i + 0.5) * step, half = textWidth(words, 13, true) / 2;
        text.setAttribute("x", Math.max(box.left + half, Math.min(box.right - half, x)));
        text.setAttribute("y", y);
        text.setAttribute("text-anchor", "middle");
        text.style.fontWeight = 600;
    };
    const draw = now => {
        const low = Math.min(...now), high = Math.max(...now), bar = low * content.ratio;
        now.forEach((count, i) => {
            const {others, whole, rest} = buckets[i];
            const rows = Math.floor(count / columns), over = count - rows * columns;
            const fill = low > 0 && count > bar + 1e-9 ? "url(#mark-over)" : "url(#mark-true)";
            const top = -rows * tall;
            for (const [rect, y, w, h] of [[whole, top, inner, rows * tall],
                [rest, top - tall, over * side, over ? tall : 0]]) {
                rect.setAttribute("y", y);
                rect.setAttribute("width", w);
                rect.setAttribute("height", h);
                rect.setAttribute("fill", fill);
            }
            const from = top - (over ? tall : 0), brim = box.top - box.bottom;
            others.setAttribute("y", brim);
            others.setAttribute("height", Math.max(0, from - brim));
        });
        const places = [now.indexOf(high), now.indexOf(low)];
        // Below the bucket: above it, its neighbours' marks would be covered.
        const at = box.bottom - heightOf(bar), within = at > box.top, y = Math.max(at, box.top);
        let over = Math.max(box.top, box.bottom - heightOf(high) - tall - 4);
        if (low > 0 && within && Math.abs(y - over + 5) < 11) over = y - 5;  // clear of the limit
        write(fullest, `${content.words.fullest}: ${high}`, places[0], over);
        write(emptiest, `▲ ${content.words.emptiest}: ${low}`, places[1], box.bottom + 18);
        limit.style.display = low > 0 && within ? "" : "none";
        limitName.style.display = low > 0 ? "" : "none";
        limit.setAttribute("y1", y);
        limit.setAttribute("y2", y);
        setText(limitName, `${content.words.limit}: ${shortNumber(bar)}${within ? "" : " ↑"}`);
        const crowded = Math.abs(over - y + 6) < 18 && places[0] > n * 0.5;
        limitName.setAttribute("x", crowded ? box.left + 2 : box.right);
        limitName.setAttribute("text-anchor", crowded ? "start" : "end");
        limitName.setAttribute("y", y - 6);
    };
    const fall = () => {
        if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
        const from = `translateY(${box.top - box.bottom}px)`;
        buckets.forEach(({falling}, i) => falling.animate(
            [{transform: from, opacity: 0.2}, {transform: "none", opacity: 1}],
            {duration: 420, delay: 160 * i / n, easing: "cubic-bezier(.5,0,.9,.6)", fill: "backwards"}));
    };
    return {counts, draw, fall};
}

function drawHistogram({svg, box, content, add, marks}) {
    const bins = content.law.length, step = (box.right - box.left) / bins;
    const x = place => box.left + place * step;
    add(svg, node("text", {x: box.left - 34, y: box.top - 28, class: "strong"}, content.label));
    for (const [place, words] of content.ticks)
        add(svg, node("text", {x: x(place), y: box.bottom + 18, "text-anchor": "middle"}, words));
    add(svg, node("line", {class: "axis", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom}));
    const bars = content.law.map((_, i) => {
        const bad = i >= content.bad_from;
        const bar = add(svg, node("rect", {class: "bar kept", x: x(i) + step * 0.06,
            width: step * 0.88}));
        bar.style.color = bad ? "var(--negative)" : "var(--positive)";
        return marks(`bin:${i}`, bar);
    });
    const law = add(svg, node("path", {class: "curve law"}));
    const dots = content.law.map(() => add(svg, node("circle", {class: "dot", r: 3})));
    for (const made of [law, ...dots]) made.style.color = "var(--st-text-color)";
    add(svg, node("text", {x: box.left - 34, y: box.top - 9, class: "muted"},
        "bars: draws so far; line: exact law"));
    if (content.limit) {
        const at = x(content.bad_from), after = at < (box.left + box.right) / 2;
        add(svg, node("line", {class: "guide dashed", x1: at, x2: at, y1: box.top - 4, y2: box.bottom}));
        add(svg, node("text", {class: "halo", x: at + (after ? 5 : -5), y: box.top + 6,
            "text-anchor": after ? "start" : "end"}, content.limit));
    }
    const touch = content.law.map((_, i) => marks(`bin:${i}`, add(svg, node("rect", {class: "surface",
        x: x(i), width: step, y: box.top, height: box.bottom - box.top}))));
    const top = add(svg, node("text", {x: box.left - 6, "text-anchor": "end"}));
    const level = add(svg, node("line", {class: "grid", x1: box.left, x2: box.right}));
    let now = {seen: [], expected: []};
    return {
        draw(draws) {
            now = histogramOf(content.falls, content.law, draws);
            const most = Math.max(1, ...now.seen, ...now.expected) * 1.12;
            const y = count => box.bottom - (box.bottom - box.top - 18) * count / most;
            bars.forEach((bar, i) => {
                bar.setAttribute("y", y(now.seen[i]));
                bar.setAttribute("height", box.bottom - y(now.seen[i]));
            });
            law.setAttribute("d", now.expected.map((count, i) =>
                `${i ? "L" : "M"}${x(i + 0.5).toFixed(1)},${y(count).toFixed(1)}`).join(""));
            dots.forEach((dot, i) => {
                dot.setAttribute("cx", x(i + 0.5));
                dot.setAttribute("cy", y(now.expected[i]));
            });
            const round = 10 ** Math.floor(Math.log10(most));
            const whole = Math.max(1, Math.floor(most / round)) * Math.max(1, round);
            setText(top, String(whole));
            top.setAttribute("y", y(whole) + 4);
            level.setAttribute("y1", y(whole));
            level.setAttribute("y2", y(whole));
        },
        tip(i) {
            return `${content.names[i]}: ${now.seen[i]} draws, exact law ${shortNumber(now.expected[i])}`;
        },
    };
}
