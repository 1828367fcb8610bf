// How large a picture is drawn: as its figure says, larger where the screen has room for more, and
// smaller where it would push its slider off the first screen, as on a projector in lecture mode.

const NARROW = 560;  // below this it is a phone's
const USUAL = 430;  // pixels high
const AROUND = 400;  // what stands above a picture, and its slider, on the first screen
const LEAST_AROUND = 340;  // the same where the answer is short
const SMALLEST = 0.6;  // times as high as its figure says, so that words keep apart
const SHAPE = 0.6;  // no higher than this share of its width

// How many times as high as its figure says; `screen` is the height of the window.
MATHS.enlargement = ({width, screen}) => {
    if (width < NARROW) return 1;
    const room = Math.min(screen - AROUND, SHAPE * width) / USUAL;
    const fits = Math.max(SMALLEST, (screen - LEAST_AROUND) / USUAL);
    return Math.max(Math.min(1, fits), room);
};

function heightOf(figure, width, screen) {
    const plain = width < NARROW ? figure.phone_height : figure.height;
    return Math.round(plain * MATHS.enlargement({width, screen}));
}
