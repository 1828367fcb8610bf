# The app for a server: `docker build -t exclusive-sparsity . && docker run -p 8501:8501 exclusive-sparsity`
FROM python:3.12-slim

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    # One thread per product: visitors share the cores, and several threads each fight over them.
    OPENBLAS_NUM_THREADS=1 \
    OMP_NUM_THREADS=1 \
    # The committed configuration answers loopback only; a container is reached from outside.
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    # Name the hosts under which it is reached: -e STREAMLIT_SERVER_ALLOWED_HOSTS="example.org"
    STREAMLIT_SERVER_ALLOWED_HOSTS="localhost 127.0.0.1" \
    EXCLUSIVE_SPARSITY_RESULTS=/home/app/results

RUN useradd --create-home --uid 10001 app
WORKDIR /home/app/exclusive-sparsity

COPY requirements.txt constraints.txt ./
RUN pip install --no-cache-dir -r requirements.txt -c constraints.txt

COPY --chown=app:app .streamlit ./.streamlit
COPY --chown=app:app app.py ./
COPY --chown=app:app pages ./pages
COPY --chown=app:app lab ./lab
COPY --chown=app:app solvers ./solvers
COPY --chown=app:app benchmarks/results ./benchmarks/results

USER app
RUN mkdir -p /home/app/results
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD \
    python -c "import urllib.request as u; u.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"
CMD ["python", "-m", "streamlit", "run", "app.py", "--server.port", "8501"]
