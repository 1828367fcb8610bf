// Where a loss first touches a unit ball, for two weights: as lab/norms/touch.py, which explains it.

// a, b and c
const listed = names =>
    [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");

// argmin ½(w − c)ᵀH(w − c) + λ/2 |w|ᵀQ|w|: the best of the points that have their own signs.
function penalised({Q, H, c, lam}) {
    const apply = (M, v) => M.map(row => row[0] * v[0] + row[1] * v[1]);
    const dot = (u, v) => u[0] * v[0] + u[1] * v[1];
    const target = apply(H, c);
    let best = [0, 0], least = Infinity;
    for (const s of [-1, 0, 1]) for (const t of [-1, 0, 1]) {
        const signs = [s, t];
        const M = H.map((row, i) => row.map((h, j) => h + lam * signs[i] * signs[j] * Q[i][j]));
        let w = [0, 0];
        if (s && t) {
            const det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
            w = [(M[1][1] * target[0] - M[0][1] * target[1]) / det,
                (M[0][0] * target[1] - M[1][0] * target[0]) / det];
        } else if (s) w = [target[0] / M[0][0], 0];
        else if (t) w = [0, target[1] / M[1][1]];
        if (Math.sign(w[0]) !== s || Math.sign(w[1]) !== t) continue;
        const apart = [w[0] - c[0], w[1] - c[1]], size = w.map(Math.abs);
        const value = dot(apart, apply(H, apart)) + lam * dot(size, apply(Q, size));
        if (value < least) { best = w; least = value; }
    }
    return best;
}

MATHS.touch = ({Q, H, c}) => {
    const over = w => {
        const [a, b] = w.map(Math.abs);
        return Q[0][0] * a * a + 2 * Q[0][1] * a * b + Q[1][1] * b * b > 1;
    };
    if (!over(c)) return {w: [...c], lam: 0, radius: 0};
    const outside = lam => over(penalised({Q, H, c, lam}));
    let low = 0, high = 1;
    while (outside(high)) { low = high; high *= 2; }
    for (let i = 0; i < 80; i += 1) {
        const middle = (low + high) / 2;
        if (outside(middle)) low = middle; else high = middle;
    }
    const w = penalised({Q, H, c, lam: high});
    const [x, y] = [w[0] - c[0], w[1] - c[1]];
    const square = H[0][0] * x * x + 2 * H[0][1] * x * y + H[1][1] * y * y;
    return {w, lam: high, radius: Math.sqrt(Math.max(0, square))};
};

// What follows the dragged optimum: an ellipse that touches each ball, faint ones on its way there,
// and the point of touch. `norms` has {label, color, Q} each; those that end together are one. While
// `grown` is below 1, one ellipse of that share of the last one's size, and the balls that it reached.
MATHS.touching = ({point, H, axes, norms, names, intro, grown = 1}) => {
    const classes = [], solved = [];
    for (const norm of norms) {
        // Norms that are one on this plane are solved once.
        const key = JSON.stringify(norm.Q), known = solved.find(one => one.key === key);
        const at = known ? known.at : MATHS.touch({Q: norm.Q, H, c: point});
        if (known) known.members.push(norm); else solved.push({key, at, members: [norm]});
        const same = classes.find(one => one.at.w.every((x, i) => Math.abs(x - at.w[i]) < 1e-9));
        if (same) same.members.push(norm); else classes.push({at, members: [norm]});
    }
    const twoDigits = x => Math.abs(x) < 0.005 ? "0.00" : x.toFixed(2).replace("-", "−");
    const place = w => `(${w.map(twoDigits).join(", ")})`;
    const words = at => {
        if (at.lam === 0) return "the optimum is inside the ball";
        const zeros = names.filter((_, i) => at.w[i] === 0).join(" and ");
        return `${place(at.w)}: ${zeros ? `${zeros} = 0` : "no weight is 0"}`;
    };
    const shapes = [], said = [], reached = grown * Math.max(...classes.map(({at}) => at.radius));
    const ellipse = (size, color, look) => ({type: "ellipse", center: point, color, class: look,
        axes: axes.map(axis => axis.map(part => part * size))});
    if (grown < 1 && reached > 0) shapes.push(ellipse(reached, "text", ""));
    for (const {at, members} of classes) {
        const who = listed(members.map(norm => norm.label)), color = members[0].color;
        said.push(`${who}${at.lam === 0 ? ": " : " at "}${words(at)}`);
        if (at.lam === 0 || at.radius > reached) continue;
        if (grown === 1) for (const share of [1 / 3, 2 / 3])
            shapes.push(ellipse(share * at.radius, color, "faint"));
        shapes.push(ellipse(at.radius, color, "dashed"));
        shapes.push({type: "dot", at: at.w, color, name: `${who} at ${place(at.w)}`});
    }
    const notes = solved.map(({at, members}) => ({
        names: members.map(({label, color}) => ({name: label, color})),
        words: `${at.lam === 0 ? "" : "touched at "}${words(at)}`,
    }));
    const title = said.join("; ");
    return {shapes, notes, title, alt: `${intro} The optimum is at ${place(point)}. `
        + `Where the loss touches the balls: ${title}.`};
};
