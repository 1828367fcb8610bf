// A method at work in the plane of two unknowns: gradient step, projection, next iterate; beside it
// the objective. A whole step has two frames: after the gradient, and after the projection.

KINDS.descent = {
    build({svg, width, height, narrow, content, value, add, marks}) {
        const share = narrow ? 0.64 : 0.58;
        const left = narrow
            ? {left: 44, right: width - 8, top: 24, bottom: height * share - 40}
            : {left: 52, right: width * share - 20, top: 28, bottom: height - 46};
        const right = narrow
            ? {left: 44, right: width - 8, top: height * share + 22, bottom: height - 42}
            : {left: width * share + 60, right: width - 12, top: 28, bottom: height - 46};
        const [x, y] = equalScales(content, left);
        drawAxes(svg, left, x, y, content);
        const clip = add(svg, node("clipPath", {id: `plane-${clips += 1}`}));
        clip.append(node("rect", {x: left.left, y: left.top, width: left.right - left.left,
            height: left.bottom - left.top}));
        const inside = {"clip-path": `url(#${clip.id})`};
        const back = add(svg, node("g", inside)), front = add(svg, node("g", inside));
        content.shapes.forEach(shape => drawShape(back, shape, x, y, marks));

        const {objective, least, iterates, momentum, gradient, ball} = content;
        const across = makeScale(content.steps, right.left, right.right);
        const upwards = makeScale(content.objective_axis, right.bottom, right.top);
        drawAxes(svg, right, across, upwards, {x: content.steps, y: content.objective_axis});
        const level = upwards(least);
        svg.append(node("line", {class: "guide dashed", x1: right.left, x2: right.right,
            y1: level, y2: level}));
        svg.append(node("text", {x: right.right, y: level + 16, "text-anchor": "end"}, "the least"));
        const places = objective.map((at, i) =>
            `${across(i).toFixed(1)},${upwards(at).toFixed(1)}`);
        const group = add(svg, node("g", {style: "color: var(--accent)"}));
        group.append(node("polyline", {class: "curve faint", points: places.join(" ")}));
        const fallen = add(group, node("polyline", {class: "curve thick"}));
        const dot = add(group, node("circle", {class: "dot", r: 6}));

        return {
            draw() {
                const i = Math.floor(value.index / 2), half = value.index % 2 === 1;
                const path = iterates.slice(0, i + 1), at = iterates[i];
                const shapes = [{type: "line", points: path, color: "accent", class: "faint"}];
                for (const past of path.slice(0, -1))
                    shapes.push({type: "dot", at: past, color: "theory"});
                if (half) shapes.push(
                    {type: "line", points: [at, momentum[i]], color: "theory", class: "dashed"},
                    {type: "line", points: [momentum[i], gradient[i]], color: "negative"},
                    {type: "dot", at: gradient[i], color: "negative", label: "after the gradient",
                        name: "after the gradient step"});
                else if (i > 0) shapes.push(
                    {type: "line", points: [gradient[i - 1], at], color: "negative", class: "dashed"});
                const size = ball === "l1" ? Math.abs(at[0]) + Math.abs(at[1])
                    : ball === "linf" ? Math.max(...at.map(Math.abs)) : 0;
                if (size > 0 && !half) shapes.push({type: "polygon", color: "accent",
                    class: "dashed faint", points: ball === "l1"
                        ? [[size, 0], [0, size], [-size, 0], [0, -size]]
                        : [[size, size], [-size, size], [-size, -size], [size, -size]]});
                shapes.push({type: "dot", at, color: "accent", label: half ? "" : content.name,
                    name: `${content.name} after step ${i}`});
                front.replaceChildren();
                for (const shape of shapes) drawShape(front, shape, x, y, marks);
                fallen.setAttribute("points", places.slice(0, i + 1).join(" "));
                dot.setAttribute("cx", across(i));
                dot.setAttribute("cy", upwards(objective[i]));
            },
            tip: (key, target) => target.dataset.name || null,
        };
    },
};
