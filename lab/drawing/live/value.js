// The value as the address has it, and the sliders that change it: one over steps, or two for a point.
function makeValue(figure) {
    return figure.control === "point" ? new PointValue(figure) : new StepValue(figure);
}

class StepValue {
    constructor(figure) {
        this.steps = figure.steps;
        this.words = figure.words;
        this.index = 0;
        this.axes = figure.label === null ? [] : [{
            label: figure.label, min: 0, max: figure.steps.length - 1, step: 1,
            get: () => this.index, set: k => { this.index = k; },
            words: () => this.words[this.index],
        }];
    }
    read(text) { this.index = Math.max(0, this.steps.indexOf(text)); }
    text() { return this.steps[this.index]; }
}

class PointValue {
    constructor(figure) {
        this.index = 0;
        this.places = figure.point.map(() => 0);
        this.axes = figure.point.map((axis, i) => ({
            ...axis,
            get: () => this.places[i],
            set: place => { this.places[i] = this.rounded(place, axis); },
            words: () => shortNumber(this.places[i]),
        }));
    }
    rounded(place, axis) {
        const steps = Math.round((place - axis.min) / axis.step);
        const held = Math.max(axis.min, Math.min(axis.max, axis.min + steps * axis.step));
        return +held.toFixed(6);
    }
    set(...places) { places.forEach((place, i) => this.axes[i].set(place)); }
    read(text) { this.set(...text.split(",").map(Number)); }
    text() { return this.places.join(","); }
}
