// A plane with shapes and a point to drag; what follows the point is computed here, by a function
// of MATHS that Python has too.

let clips = 0;
const GROWS_MS = 1200;

KINDS.plane = {
    build({svg, width, height, narrow, content, value, add, marks, drags, redraw, button}) {
        const rows = content.notes;
        const room = {left: narrow ? 40 : 52, right: (rows && !narrow ? width * 0.64 : width) - 12,
            top: 28, bottom: height - 46 - (rows && narrow ? 20 * rows : 0)};
        const back = add(svg, node("g")), front = add(svg, node("g"));
        // What follows the point may reach beyond the plane, but not over the words around it.
        const clip = add(svg, node("clipPath", {id: `plane-${clips += 1}`}));
        front.setAttribute("clip-path", `url(#${clip.id})`);
        let x, y, box, stretched = null;
        // Axes and what stands still; laid anew where what follows the point stretches the plane.
        const lay = stretch => {
            stretched = stretch;
            box = {...room};
            [x, y] = equalScales({...content, stretch}, box);
            back.replaceChildren();
            drawAxes(back, box, x, y, content);
            content.shapes.forEach(shape => drawShape(back, shape, x, y, marks));
            clip.replaceChildren(node("rect", {x: box.left, y: box.top,
                width: box.right - box.left, height: box.bottom - box.top}));
        };
        lay(content.stretch);
        const grip = add(svg, node("circle", {class: "grip", r: 11}));
        // What follows the point grows when the hand lets go, and on a button, if it is to.
        let grown = 1, stay = () => {};
        const grow = () => {
            stay();
            stay = animate(GROWS_MS, share => { grown = share; redraw(); });
        };
        drags(grip, {
            touch: "none", cursor: "grab", release: content.grows ? grow : null,
            move: (px, py) => {
                stay();
                grown = 1;
                value.set(x.invert(px), y.invert(py));
            },
        });
        if (content.grows) button(content.grows, grow);
        const notes = Array.from({length: rows}, (_, i) => add(svg, node("text", narrow
            ? {x: 0, y: height - 20 * (rows - 1 - i) - 4}
            : {x: box.right + 36, y: (box.top + box.bottom) / 2 + 54 * (i - (rows - 1) / 2)})));
        const follow = content.follows ? MATHS[content.follows] : null;
        return {
            draw() {
                const [a, b] = value.places;
                const said = follow ? follow({point: [...value.places], grown, ...content.numbers}) : {};
                if (said.stretch && said.stretch !== stretched) lay(said.stretch);
                grip.setAttribute("cx", x(a));
                grip.setAttribute("cy", y(b));
                front.replaceChildren();
                for (const shape of said.shapes || []) drawShape(front, shape, x, y, marks);
                (said.notes || []).forEach((note, i) => drawNote(notes[i], note, narrow));
                return {title: said.title ?? content.title, alt: said.alt ?? content.alt};
            },
            tip: (key, target) => target.dataset.name || null,
        };
    },
};

// What is said of one shape beside the picture, or below it where that is narrow.
function drawNote(text, {names, words}, narrow) {
    const heads = names.map(({name, color}) =>
        node("tspan", {class: "strong", style: `fill: var(--${color})`}, name));
    const and = heads.flatMap((head, i) => i ? [node("tspan", {}, " = "), head] : [head]);
    const x = text.getAttribute("x");
    text.replaceChildren(...and, node("tspan", narrow ? {dx: 8} : {x, dy: 19}, words));
}

// One unit is as long across as upwards, so that balls are round and right angles right; or
// upwards `stretch` times as long, so that they are so in another metric.
function equalScales(content, box) {
    const spans = [content.x.range, content.y.range].map(([low, high]) => high - low);
    spans[1] *= content.stretch || 1;
    const unit = Math.min((box.right - box.left) / spans[0], (box.bottom - box.top) / spans[1]);
    const middle = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const half = spans.map(span => span * unit / 2);
    const inner = {left: middle[0] - half[0], right: middle[0] + half[0],
        top: middle[1] - half[1], bottom: middle[1] + half[1]};
    Object.assign(box, inner);
    return [makeScale(content.x, box.left, box.right), makeScale(content.y, box.bottom, box.top)];
}

// Shapes: polygon, line (points), ellipse (center, matrix whose columns are its half axes), dot; with
// a label up to the right of a dot or of its own place, or straight "above" or "below" the dot. At
// the plane's right end it goes to the left, and at its top below.
function drawShape(parent, shape, x, y, marks) {
    const style = {class: `shape ${shape.class || ""}`, style: `color: var(--${shape.color})`};
    const at = ([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`;
    let made;
    if (shape.type === "dot")
        made = node("circle", {...style, class: "dot", r: 6, cx: x(shape.at[0]), cy: y(shape.at[1])});
    else if (shape.type === "ellipse") {
        const points = [];
        for (let i = 0; i < 96; i += 1) {
            const c = Math.cos(i * Math.PI / 48), s = Math.sin(i * Math.PI / 48), [u, v] = shape.axes;
            points.push([shape.center[0] + c * u[0] + s * v[0], shape.center[1] + c * u[1] + s * v[1]]);
        }
        made = node("polygon", {...style, points: points.map(at).join(" ")});
    } else made = node(shape.type === "line" ? "polyline" : "polygon",
        {...style, points: shape.points.map(at).join(" ")});
    if (shape.name) {
        made.dataset.name = shape.name;
        marks(shape.name, made);
    }
    parent.append(made);
    if (shape.label) {
        const [a, b] = shape.label_at || shape.at;
        const after = x(a) + 9 + textWidth(shape.label, 13) <= x.ends[1], above = y(b) - 22 >= y.ends[0];
        const place = shape.label_side
            ? {x: x(a), y: y(b) + (shape.label_side === "below" ? 22 : -13), "text-anchor": "middle"}
            : {x: x(a) + (after ? 9 : -9), y: y(b) + (above ? -9 : 20), "text-anchor": after ? "start" : "end"};
        parent.append(node("text", {...place, class: shape.at ? "halo" : ""}, shape.label));
    }
}

// Lemma 2: argmin over ‖x‖₁ ≤ y of ½‖x − a‖² + ζ/2 (y − b)², as solvers.project_l1_cone.
MATHS.project_l1_cone = ({a, b, zeta}) => {
    const sizes = a.map(Math.abs), sorted = [...sizes].sort((p, q) => q - p);
    if (sizes.reduce((sum, size) => sum + size, 0) <= b) return {x: [...a], y: b};
    if (sorted[0] <= -zeta * b) return {x: a.map(() => 0), y: 0};
    let sum = 0, level = 0;
    for (let k = 0; k < sorted.length; k += 1) {
        sum += sorted[k];
        level = zeta * (sum - b) / (zeta * (k + 1) + 1);
        if (k + 1 === sorted.length || sorted[k + 1] <= level) break;
    }
    return {x: a.map((value, i) => Math.sign(value) * Math.max(0, sizes[i] - level)),
        y: b + level / zeta};
};
