// When the server is told, and what it was told last.

// Streamlit sends what is told at one moment as one message, and then runs the part of the page of
// one figure only: so figures that have something to say at their start take turns.
let turns = 0;
function tellAlone(say) {
    turns += 1;
    setTimeout(() => { turns -= 1; say(); }, 60 * turns);
}

// The page that a link was clicked for. What a figure tells of a page that is being left would make
// the server call that page back, without content: it waits for the other page, and ends with it.
let goal = null;
const pageOf = path => path.split("?")[0].split("/").pop();  // as links have it; that of home is empty
if (typeof document !== "undefined") {
    document.documentElement.dataset.live = "";  // the page's watch looks for it: lab/ui/scripts.py
    document.addEventListener("click", event => {
        const link = event.target.closest('[data-testid="stPageLink-NavLink"]');
        if (link) goal = pageOf(link.getAttribute("href"));
    }, true);
    window.addEventListener("popstate", () => { goal = null; });
}

// The value last told by each figure. After it the server says nothing new, so a figure that is
// mounted again, with what the server said before, has to know it.
const lastTold = new Map();
