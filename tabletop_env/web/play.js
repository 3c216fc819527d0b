// A game against policies: clicks make moves, the server says what is legal and draws the table.

const look = JSON.parse(byId("data").textContent);
const board = new Board(byId("board"), look);
const page = { table: null, chosen: null, busy: false };
const PAUSE = 450; // milliseconds between the moves of others

async function ask(deed, more = {}) {
  if (page.busy) return;
  page.busy = true;
  clearTimeout(page.timer);
  const asked = { chosen: page.chosen, overlay: byId("overlay").value, ...more };
  try {
    const reply = await fetch(deed, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(asked),
    });
    if (!reply.ok) throw new Error(await reply.text());
    page.table = await reply.json();
  } catch (error) {
    say(`The server does not answer: ${error.message}`, true);
    return;
  } finally {
    page.busy = false;
  }
  draw();
}

function say(words, wrong) {
  byId("answer").textContent = words;
  byId("answer").classList.toggle("wrong", wrong);
}

function draw() {
  const table = page.table;
  board.define(table.symbols);
  board.show(new Map(Object.entries(table.parts)));
  const mine = table.to_act === table.me;
  byId("result").textContent = table.rewards
    ? `the end: ${signed(table.rewards)}`
    : mine ? `your move, ${table.me}` : `${table.to_act} is to act`;
  const near = table.like.length ? ` Legal and near: ${table.like.join(", ")}` : "";
  say(table.answer + near, table.wrong);
  drawMoves();
  drawChoices();
  byId("board").classList.toggle("clickable", mine);
  byId("hint").disabled = !mine;
  byId("resign").disabled = !table.to_act;
  byId("undo").disabled = !table.moves.some(([agent]) => agent === table.me);
  if (table.to_act && !mine) page.timer = setTimeout(() => ask("advance"), PAUSE);
}

function drawMoves() {
  const list = byId("moves");
  const wanted = page.table.moves;
  while (list.children.length > wanted.length) list.lastChild.remove();
  for (let index = 0; index < wanted.length; index++) {
    const [agent, move] = wanted[index];
    const item = list.children[index] ?? list.appendChild(document.createElement("li"));
    if (item.dataset.text === `${agent} ${move}`) continue;
    const who = document.createElement("span");
    who.textContent = agent;
    item.replaceChildren(who, move);
    item.dataset.text = `${agent} ${move}`;
  }
  list.scrollTop = list.scrollHeight;
}

function button(words, move) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.dataset.move = move;
  made.addEventListener("click", () => make(move));
  return made;
}

function make(move) {
  page.chosen = null;
  ask("move", { move, moves: page.table.moves.length });
}

function drawChoices(offered) { // buttons for moves that no click makes, or that a click leaves open
  const moves = offered ?? page.table.legal.filter(([, spots]) =>
    page.chosen === null ? spots.length === 0 : spots[0] === page.chosen && spots.length === 1);
  byId("choices").replaceChildren(...moves.map(([move, , words]) => button(words, move)));
  byId("legal").replaceChildren(...page.table.legal.map(([move]) => button(move, move)));
}

function choose(spot) {
  const legal = page.table.legal;
  const second = legal.filter(([, spots]) => page.chosen && spots[0] === page.chosen && spots[1] === spot);
  if (second.length === 1) return make(second[0][0]);
  if (second.length > 1) return drawChoices(second);
  const first = legal.filter(([, spots]) => spots[0] === spot);
  if (first.length === 1 && first[0][1].length === 1) return make(first[0][0]);
  page.chosen = first.length && spot !== page.chosen ? spot : null;
  if (first.length && first.every(([, spots]) => spots.length === 1)) {
    page.chosen = null;
    return drawChoices(first);
  }
  ask("look");
}

byId("board").addEventListener("click", (event) => {
  const place = event.target.closest("[data-spot]");
  if (place && page.table?.to_act === page.table?.me) choose(place.dataset.spot);
});
byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  if (byId("text").value.trim()) make(byId("text").value);
  byId("text").value = "";
});
for (const deed of ["hint", "undo", "resign", "again"]) {
  byId(deed).addEventListener("click", () => {
    if (deed === "resign" && !confirm("Give the game up?")) return;
    page.chosen = null;
    ask(deed);
  });
}
byId("overlay").addEventListener("change", () => ask("look"));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || ["INPUT", "SELECT"].includes(event.target.tagName)) return;
  if (event.key === "Escape") { page.chosen = null; ask("look"); }
  if (event.key === "h" && !byId("hint").disabled) byId("hint").click();
  if (event.key === "u" && !byId("undo").disabled) byId("undo").click();
  if (event.key === "o" && byId("overlay").options.length > 1) turnOver(byId("overlay"));
  if (event.key === "d") changeTheme();
});

fill(byId("overlay"), [["", "none"], ...Object.entries(look.overlays)]);
byId("overlay-label").hidden = byId("overlay").options.length < 2;
byId("game-label").hidden = byId("viewer-label").hidden = true;
ask("look");
