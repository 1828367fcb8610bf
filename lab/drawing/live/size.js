// How large a picture is drawn: as its figure says, and larger where the screen has room for more.

const NARROW = 560;  // below this it is a phone's
const USUAL = 430;  // pixels high
const AROUND = 400;  // what stands above a picture, and its slider, on the first screen
const SHAPE = 0.6;  // no higher than this share of its width

// How many times as high as its figure says; `screen` is the height of the window.
MATHS.enlargement = ({width, screen}) =>
    width < NARROW ? 1 : Math.max(1, Math.min(screen - AROUND, SHAPE * width) / USUAL);

function heightOf(figure, width, screen) {
    const plain = width < NARROW ? figure.phone_height : figure.height;
    return Math.round(plain * MATHS.enlargement({width, screen}));
}
