"""Both pictures of Moreau's decomposition as one, to take home."""

from __future__ import annotations

import plotly.graph_objects as go

from lab.drawing import theme

HEIGHT = 500


def moreau(plane: go.Figure, proxes: go.Figure, mode: str) -> go.Figure:
    """The plane at the left, the two proxes at the right, each under its own title."""
    colors = theme.palette(mode)
    figure = go.Figure(plane).update_traces(showlegend=False)  # a copy: visitors share the plane
    figure.add_traces([trace.update(xaxis="x2", yaxis="y2") for trace in go.Figure(proxes).data])
    titles = [
        dict(
            text=drawn.layout.title.text,
            x=x,
            y=1.02,
            xref="paper",
            yref="paper",
            xanchor="left",
            yanchor="bottom",
            align="left",
            showarrow=False,
            font=dict(size=16, color=colors.text),
        )
        for drawn, x in ((plane, 0.0), (proxes, 0.56))
    ]
    second = {
        "xaxis2": proxes.layout.xaxis.to_plotly_json() | dict(domain=[0.56, 1.0], anchor="y2"),
        "yaxis2": proxes.layout.yaxis.to_plotly_json() | dict(anchor="x2"),
    }
    figure.update_layout(
        title_text="",
        height=HEIGHT,
        margin_t=80,
        xaxis_domain=[0.0, 0.46],
        barmode=proxes.layout.barmode,
        showlegend=True,
        legend=proxes.layout.legend,
        annotations=[*plane.layout.annotations, *titles],
        **second,
    )
    return figure
