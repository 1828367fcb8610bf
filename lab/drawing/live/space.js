// The cone over two weights in space: turned by hand, its point dragged at its height, and the
// projection computed here as Python does.

const RAISED = 22 * Math.PI / 180;  // from how high it is seen

KINDS.space = {
    build({svg, width, height, content, value, add, marks, drags, redraw}) {
        const middle = [width / 2, 0], up = Math.cos(RAISED), away = Math.sin(RAISED);
        let unit = 1, reach = 1, upright = [0, 1], held = false;
        const turned = ([x1, x2]) => {
            const turn = value.places[4] * Math.PI / 180, c = Math.cos(turn), s = Math.sin(turn);
            return [c * x1 + s * x2, c * x2 - s * x1];
        };
        const at = place => {
            const [across, far] = turned(place);
            return [middle[0] + unit * across, middle[1] - unit * (place[2] * up + far * away)];
        };
        // The place at a height that is seen where the hand is.
        const back = (px, py, high) => {
            const turn = value.places[4] * Math.PI / 180, c = Math.cos(turn), s = Math.sin(turn);
            const across = (px - middle[0]) / unit;
            const far = ((middle[1] - py) / unit - high * up) / away;
            return [c * across - s * far, s * across + c * far];
        };
        const text = places => places.map(place => at(place).map(v => v.toFixed(1)).join(",")).join(" ");
        const surface = add(svg, node("rect", {class: "surface", x: 0, y: 0, width, height}));
        const scene = add(svg, node("g"));
        const grip = add(svg, node("circle", {class: "grip", r: 11}));
        drags(grip, {touch: "none", cursor: "grab", release: () => { held = false; redraw(); },
            move: (px, py) => {
                held = true;
                const [x1, x2] = back(px, py, value.places[2]);
                value.axes[0].set(x1);
                value.axes[1].set(x2);
            }});
        let before = null;
        drags(surface, {
            touch: "pan-y", cursor: "ew-resize", release: () => { before = null; },
            move: px => {
                const from = before ?? px;
                before = px;
                // A degree is two pixels, and whole degrees are told: keep what is left over.
                const degrees = Math.round((from - px) / 2);
                if (degrees === 0) { before = from; return; }
                value.axes[4].set((value.places[4] + degrees + 360) % 360);
            },
        });
        const line = (places, color, dashed) => node("polyline", {points: text(places),
            class: `shape ${dashed ? "dashed" : ""}`, style: `color: var(--${color})`,
            "pointer-events": "none"});
        // A name at one of the four corners of its place: that which covers no other, nor the grip.
        let put = null;
        const named = (name, x, y, far, kind) => {
            const width = textWidth(name, 13), beside = [x + far, x - far - width];
            const place = put([y - far + 2, y + far + 10].flatMap(high =>
                beside.map(side => ({x: side, y: high, width}))));
            return node("text", {x: place.x, y: place.y, class: kind}, name);
        };
        const dot = (place, color, name) => {
            const [cx, cy] = at(place);
            const made = node("circle", {class: "dot", r: 6, cx, cy, style: `color: var(--${color})`});
            made.dataset.name = name;
            return [marks(name, made), named(name, cx, cy, 10, "halo")];
        };
        const pyramid = (corners, high, color, name) => {
            const faces = corners.map((corner, i) =>
                [[0, 0, 0], [...corner, high], [...corners[(i + 1) % corners.length], high]]);
            const depth = face => face.reduce((sum, place) => sum + turned(place)[1], 0);
            return faces.sort((p, q) => depth(q) - depth(p)).map(face => {
                const made = node("polygon", {points: text(face), class: "shape filled",
                    style: `color: var(--${color})`, "pointer-events": "none"});
                made.dataset.name = name;
                return made;
            });
        };
        const axes = () => [[[reach, 0, 0], content.names[0]], [[0, reach, 0], content.names[1]],
            [[0, 0, upright[1]], content.names[2]]].flatMap(([end, name]) => {
            const start = name === content.names[2] ? [0, 0, upright[0]] : end.map(v => -v);
            const [x, y] = at(end);
            return [node("polyline", {points: text([start, end]), class: "axis"}),
                named(name, x, y, 5, "muted halo")];
        });
        return {
            draw() {
                const [a1, a2, b, zeta] = value.places;
                const found = MATHS.cone_space({point: [a1, a2, b, zeta], cone: content.cone});
                const projection = [...found.x, found.y], point = [a1, a2, b];
                const {high, deep, ...view} = spaceView({point, projection, zeta, cone: content.cone,
                    polar: content.polar, width, height});
                const other = content.cone === "l1" ? "linf" : "l1";
                // The scale stays while the point is under the hand.
                if (!held) {
                    ({unit, reach, upright} = view);
                    middle[1] = view.origin;
                }
                const [cx, cy] = at(point);
                put = makePlacer([]);
                put([{x: cx - 11, y: cy + 5, width: 22}]);
                scene.replaceChildren(...axes(),
                    ...content.polar
                        ? pyramid(ballCorners(other, zeta * deep), -deep, "negative", "the polar cone") : [],
                    ...pyramid(ballCorners(content.cone, high), high, "positive", "the cone"),
                    line([[a1, a2, 0], point], "theory", true),
                    line([[0, 0, 0], projection], "accent"), line([projection, point], "negative", true),
                    ...dot(projection, "accent", "projection"));
                grip.setAttribute("cx", cx);
                grip.setAttribute("cy", cy);
                return {title: found.title, alt: found.alt};
            },
            tip: (key, target) => target.dataset.name || null,
        };
    },
};

// How large the scene is drawn, and where its origin: so that the point, its projection and the cone
// around them fit, from wherever they are seen.
MATHS.spaceView = given => spaceView(given);
function spaceView({point, projection, zeta, cone, polar, width, height}) {
    const up = Math.cos(RAISED), away = Math.sin(RAISED), margin = 24;
    const wide = Math.max(Math.hypot(point[0], point[1]), 0.5);
    const high = 1.15 * Math.max(projection[2], point[2], 0.6 * wide);
    const deep = polar ? Math.min(high, high / zeta, 1.15 * Math.max(-point[2], 0.6 * wide)) : 0;
    const ball = cone === "l1" ? 1 : Math.SQRT2, polarBall = cone === "l1" ? Math.SQRT2 : 1;
    const seen = [[wide, point[2]], [wide, 0], [ball * high, high],
        [Math.hypot(projection[0], projection[1]), projection[2]], [polarBall * zeta * deep, -deep]];
    const reach = 1.1 * Math.max(...seen.map(([far]) => far));
    const above = Math.max(...seen.map(([far, z]) => z * up + far * away), reach * away);
    const below = Math.max(...seen.map(([far, z]) => far * away - z * up), reach * away);
    const unit = Math.min((width - 2 * margin) / (2 * reach), (height - 2 * margin) / (above + below));
    // The axis of the height ends inside the picture too.
    const upright = [polar ? -Math.min(0.8 * reach, below / up) : 0, Math.min(0.8 * reach, above / up)];
    const origin = (height - unit * (above + below)) / 2 + unit * above;
    return {unit, reach, upright, high, deep, origin};
}

function ballCorners(cone, size) {
    const corners = cone === "l1" ? [[1, 0], [0, 1], [-1, 0], [0, -1]]
        : [[1, 1], [-1, 1], [-1, -1], [1, -1]];
    return corners.map(corner => corner.map(v => size * v));
}

// Lemma 3: argmin over ‖x‖∞ ≤ y of ½‖x − a‖² + ζ/2 (y − b)², as solvers.project_linf_cone.
MATHS.project_linf_cone = ({a, b, zeta}) => {
    const sizes = a.map(Math.abs), sorted = [...sizes].sort((p, q) => q - p);
    if (sorted[0] <= b) return {x: [...a], y: b};
    if (sizes.reduce((sum, size) => sum + size, 0) <= -zeta * b) return {x: a.map(() => 0), y: 0};
    let sum = 0, y = 0;
    for (let k = 0; k < sorted.length; k += 1) {
        sum += sorted[k];
        y = (zeta * b + sum) / (zeta + k + 1);
        if (k + 1 === sorted.length || sorted[k + 1] <= y) break;
    }
    return {x: a.map((value, i) => Math.sign(value) * Math.min(sizes[i], y)), y};
};

MATHS.cone_space = ({point: [a1, a2, b, zeta], cone}) => {
    const a = [a1, a2], {x, y} = MATHS[`project_${cone}_cone`]({a, b, zeta});
    const stays = y === b && x.every((value, i) => value === a[i]);
    const edge = cone === "l1" ? x.some(value => value === 0) : a.every(value => Math.abs(value) > y);
    const says = cone === "l1" ? ["one entry is exactly zero", "none is zero"]
        : ["both entries are cut to y", "only the larger entry is cut"];
    const title = stays ? "Inside the cone: the point stays where it is"
        : y === 0 ? "In the polar cone: the origin is nearest"
        : edge ? `On an edge: ${says[0]}` : `On a face: ${says[1]}`;
    const alt = `The cone ${cone === "l1" ? "‖x‖₁ ≤ y" : "‖x‖∞ ≤ y"} in space, the point `
        + `(${inWords(a1)}, ${inWords(a2)}; ${inWords(b)}) and its projection `
        + `(${x.map(inWords).join(", ")}; ${inWords(y)}) at ζ = ${inWords(zeta)}. ${title}.`;
    return {x, y, title, alt};
};
