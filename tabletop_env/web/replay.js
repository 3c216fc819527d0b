// Games from a record: steps through frames, each of which says what changed since the one before.

const data = JSON.parse(byId("data").textContent);
const board = new Board(byId("board"), data);
const GONE = -1, AS_ALL = -2;
const page = { game: null, at: 0, timer: null, tracks: {}, until: -1 };

function rewind() {
  page.tracks = {};
  page.until = -1;
}

function readTo(at) { // every track as it is in a frame: part -> fragment
  if (at < page.until) rewind();
  while (page.until < at) {
    const frame = page.game.frames[++page.until];
    for (const [name, flat] of Object.entries(frame)) {
      const track = (page.tracks[name] ??= new Map());
      for (let i = 0; i < flat.length; i += 2) {
        const back = name === "all" ? GONE : AS_ALL;
        if (flat[i + 1] === back) track.delete(flat[i]);
        else track.set(flat[i], flat[i + 1]);
      }
    }
  }
}

function picture() {
  const parts = new Map(page.tracks.all);
  for (const name of [byId("viewer").value, byId("overlay").value]) {
    for (const [part, fragment] of page.tracks[name] ?? []) {
      if (fragment === GONE) parts.delete(part);
      else parts.set(part, fragment);
    }
  }
  return new Map([...parts].map(([part, f]) => [data.parts[part], data.pool[f]]));
}

function draw() {
  readTo(page.at);
  board.show(picture());
  const end = page.game.frames.length - 1;
  byId("slider").value = page.at;
  byId("where").textContent = `position ${page.at} of ${end}`;
  const over = page.at === end;
  const how = page.game.truncated ? "cut off" : "the end";
  byId("result").textContent = over ? `${how}: ${signed(page.game.rewards)}` : "";
  for (const id of ["first", "back"]) byId(id).disabled = page.at === 0;
  for (const id of ["next", "last"]) byId(id).disabled = over;
  for (const item of byId("moves").querySelectorAll(".here")) item.classList.remove("here");
  const here = byId("moves").children[lastMove(page.at)];
  if (here) {
    here.classList.add("here");
    here.scrollIntoView({ block: "nearest" });
  }
  markPlot();
}

function lastMove(at) { // number of the last entry that a frame shows
  const moves = page.game.moves;
  let low = 0, high = moves.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (moves[middle][2] <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function go(at) {
  page.at = Math.max(0, Math.min(page.game.frames.length - 1, at));
  draw();
}

function pause() {
  clearInterval(page.timer);
  page.timer = null;
  byId("play").textContent = "play";
}

function play() {
  if (page.timer) return pause();
  if (page.at === page.game.frames.length - 1) go(0);
  byId("play").textContent = "pause";
  page.timer = setInterval(() => {
    go(page.at + 1);
    if (page.at === page.game.frames.length - 1) pause();
  }, Number(byId("speed").value));
}

function listMoves() {
  const heard = page.game.heard[byId("viewer").value] ?? {};
  byId("moves").replaceChildren(...page.game.moves.map(([agent, move, frame], index) => {
    const item = document.createElement("li");
    const who = document.createElement("span");
    who.textContent = agent;
    item.append(who, heard[index] ?? move);
    item.dataset.frame = frame;
    if (agent === "chance") item.className = "chance";
    return item;
  }));
}

function choose(index) {
  pause();
  rewind();
  page.game = data.games[index];
  page.at = 0;
  const { agents, viewers, viewer } = page.game;
  fill(byId("viewer"), viewer ? [["", viewer]] : [["", "everybody"], ...viewers.map((a) => [a, a])]);
  byId("slider").max = page.game.frames.length - 1;
  byId("result").title = agents.join(", ");
  listMoves();
  drawPlot();
  draw();
}

// -- scores over time ---------------------------------------------------------------------------

const DASHES = ["", "7 3", "2 3", "9 3 2 3", "4 4", "12 4", "1 5", "6 2 1 2"];
const PLOT = { width: 340, height: 130, left: 26, right: 8, top: 8, bottom: 8 };

function plotPlace(frame, value, most) {
  const frames = Math.max(1, page.game.frames.length - 1);
  const x = PLOT.left + (PLOT.width - PLOT.left - PLOT.right) * frame / frames;
  const y = PLOT.height - PLOT.bottom - (PLOT.height - PLOT.top - PLOT.bottom) * value / most;
  return [x.toFixed(1), y.toFixed(1)];
}

function drawPlot() {
  const series = page.game.series;
  const most = Math.max(1, ...series.flatMap((line) => line.values));
  const marks = [0, Math.round(most / 2), most].map((value) => {
    const [, y] = plotPlace(0, value, most);
    return `<path d="M${PLOT.left} ${y}H${PLOT.width - PLOT.right}" stroke="var(--line)"/>` +
      `<text x="${PLOT.left - 4}" y="${Number(y) + 4}" text-anchor="end" font-size="11" fill="var(--muted)">${value}</text>`;
  });
  const lines = series.map((line, index) => {
    let path = "";
    line.values.forEach((value, frame) => {
      if (frame && frame < line.values.length - 1 && value === line.values[frame - 1]) return;
      const [x, y] = plotPlace(frame, value, most);
      path += frame ? `H${x}V${y}` : `M${x} ${y}`;
    });
    return `<path d="${path}" fill="none" stroke="var(--${line.colour})" stroke-width="2.2" ` +
      `stroke-dasharray="${DASHES[index % DASHES.length]}"/>`;
  });
  byId("plot").setAttribute("viewBox", `0 0 ${PLOT.width} ${PLOT.height}`);
  byId("plot").setAttribute("preserveAspectRatio", "none");
  byId("plot").innerHTML = marks.join("") + lines.join("") +
    '<path id="now" stroke="var(--ink)" stroke-width="1.4"/>';
  byId("legend").innerHTML = series.map((line, index) =>
    `<span><svg viewBox="0 0 26 8"><path d="M0 4H26" stroke="var(--${line.colour})" stroke-width="3" ` +
    `stroke-dasharray="${DASHES[index % DASHES.length]}"/></svg> ${line.label} ` +
    `<b data-series="${index}"></b></span>`).join("");
}

function markPlot() {
  const [x] = plotPlace(page.at, 0, 1);
  byId("now").setAttribute("d", `M${x} ${PLOT.top - 4}V${PLOT.height - PLOT.bottom + 4}`);
  for (const value of byId("legend").querySelectorAll("[data-series]")) {
    value.textContent = page.game.series[value.dataset.series].values[page.at];
  }
}

byId("plot").addEventListener("click", (event) => {
  const box = byId("plot").getBoundingClientRect();
  const x = (event.clientX - box.left) / box.width * PLOT.width;
  const share = (x - PLOT.left) / (PLOT.width - PLOT.left - PLOT.right);
  go(Math.round(share * (page.game.frames.length - 1)));
});

// -- buttons and keys ---------------------------------------------------------------------------

const KEYS = {
  ArrowLeft: () => go(page.at - 1),
  ArrowRight: () => go(page.at + 1),
  ArrowUp: () => go(page.at - 10),
  ArrowDown: () => go(page.at + 10),
  Home: () => go(0),
  End: () => go(Infinity),
  " ": play,
  v: () => turnOver(byId("viewer")),
  o: () => turnOver(byId("overlay")),
  d: changeTheme,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  const deed = KEYS[event.key];
  if (!deed) return;
  event.preventDefault();
  deed();
});

for (const [id, key] of [["first", "Home"], ["back", "ArrowLeft"], ["play", " "],
  ["next", "ArrowRight"], ["last", "End"]]) {
  byId(id).addEventListener("click", (event) => {
    event.currentTarget.blur(); // or space would press it again
    KEYS[key]();
  });
}
byId("slider").addEventListener("input", () => go(Number(byId("slider").value)));
byId("moves").addEventListener("click", (event) => {
  const item = event.target.closest("li");
  if (item) go(Number(item.dataset.frame));
});
byId("game").addEventListener("change", () => choose(byId("game").selectedIndex));
byId("viewer").addEventListener("change", () => { listMoves(); draw(); });
byId("overlay").addEventListener("change", draw);

fill(byId("game"), data.games.map((game, index) => [index, game.name]));
fill(byId("overlay"), [["", "none"], ...Object.entries(data.overlays)]);
byId("game-label").hidden = data.games.length < 2;
byId("overlay-label").hidden = byId("overlay").options.length < 2;
choose(0);
