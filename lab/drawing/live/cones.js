// What one step does to a group, and the cone of one weight: both as lab.cones says them in Python.

function inWords(value) {
    return shortNumber(+value.toPrecision(12));
}

// The prox of ζ/2‖·‖₁² at a, and whether a water line at `level` would rise, sink or stay.
MATHS.group_step = ({a, zeta, level = null}) => {
    const {x, y} = MATHS.project_l1_cone({a, b: 0, zeta}), settled = zeta * y;
    const at = level ?? settled;
    const out = a.reduce((sum, value) => sum + Math.max(0, Math.abs(value) - at), 0);
    const zeros = x.filter((value, i) => value === 0 && a[i] !== 0).length;
    const vanish = ["no weight vanishes", "one weight vanishes", "both weights vanish"][zeros];
    const title = level === null
        ? `The line settles at δ = ${inWords(settled)}, ζ times what stands out: ${vanish}`
        : `At δ = ${inWords(at)}, ζ times what stands out is ${inWords(zeta * out)}: the line `
            + (zeta * out > at ? "must rise" : "must sink");
    const alt = `Bars of ${a.map(Math.abs).map(inWords).join(" and ")} under a water line at `
        + `δ = ${inWords(at)}, and the plane in which (${a.map(inWords).join(", ")}) moves to `
        + `(${x.map(inWords).join(", ")}). ${title}.`;
    return {x, y, settled, title, alt};
};

// The cone |x| ≤ y and its polar |x| ≤ −ζy with a point (a; b): its projection, and the rest or the
// two parts. `edge` and `floor` are how far the plane reaches; stretched, y counts as it is measured.
MATHS.cone_plane = ({point: [a, b, zeta], decomposed, stretched, edge, floor}) => {
    const {x: [x], y} = MATHS.project_l1_cone({a: [a], b, zeta});
    const rest = [a - x, b - y], far = Math.hypot(rest[0], Math.sqrt(zeta) * rest[1]);
    const long = Math.hypot(x, Math.sqrt(zeta) * y);
    const kept = points => ({type: "line", points, color: "accent"});
    const left = points => ({type: "line", points, color: "negative", class: "dashed"});
    const deep = Math.min(edge, -floor * zeta);
    const shapes = [{type: "polygon", color: "negative", class: "filled faint",
        points: [[0, 0], [deep, -deep / zeta], [deep, floor], [-deep, floor], [-deep, -deep / zeta]],
        name: "the polar cone |x| ≤ −ζy", label: "polar cone", label_at: [-0.5, floor + 0.1]}];
    shapes.push(...decomposed ? [
        kept([[0, 0], [x, y]]), kept([rest, [a, b]]), left([[0, 0], rest]), left([[x, y], [a, b]]),
        {type: "dot", at: rest, color: "negative", label: "polar part", name: "polar part"},
    ] : [
        {type: "ellipse", center: [a, b], axes: [[far, 0], [0, far / Math.sqrt(zeta)]],
            color: "theory", class: "dashed faint"},
        left([[x, y], [a, b]]),
    ]);
    shapes.push({type: "dot", at: [x, y], color: "accent", label: "projection", name: "projection"});
    const place = x === a && y === b ? "inside" : y === 0 ? "polar" : "between";
    const title = decomposed ? `A sum of two parts, ${inWords(long)} and ${inWords(far)} long`
        : place === "inside" ? "Inside the cone: the point stays where it is"
        : place === "polar" ? "In the polar cone: the origin is nearest"
        : `Nearest in the cone: (${inWords(x)}; ${inWords(y)}), ${inWords(far)} away`;
    const alt = `The cone |x| ≤ y, the point (${inWords(a)}; ${inWords(b)}) and its projection `
        + `(${inWords(x)}; ${inWords(y)}) at ζ = ${inWords(zeta)}. ${title}.`;
    return {x, y, shapes, title, alt, stretch: stretched ? Math.sqrt(zeta) : 1};
};
