// The picture: parts of a drawing in layers, of which only those that changed are exchanged.

const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

class Board {
  constructor(svg, look) {
    svg.setAttribute("viewBox", `0 0 ${look.width} ${look.height}`);
    svg.setAttribute("font-family", "'DejaVu Sans', Verdana, Arial, sans-serif");
    this.symbols = document.createElementNS(SVG, "defs");
    svg.append(this.symbols);
    this.known = new Set();
    this.define(look.symbols);
    this.layers = {};
    for (const name of look.layers) {
      this.layers[name] = document.createElementNS(SVG, "g");
      svg.append(this.layers[name]);
    }
    this.shown = new Map(); // name of a part -> [its element, its drawing]
  }

  define(symbols) {
    for (const [name, drawing] of Object.entries(symbols)) {
      if (this.known.has(name)) continue;
      this.known.add(name);
      const element = document.createElementNS(SVG, "g");
      element.id = `${name}-page`;
      element.innerHTML = drawing;
      this.symbols.append(element);
    }
  }

  show(parts) { // a Map from name to drawing
    for (const [name, [element]] of this.shown) {
      if (!parts.has(name)) {
        element.remove();
        this.shown.delete(name);
      }
    }
    for (const [name, drawing] of parts) {
      const old = this.shown.get(name);
      if (old && old[1] === drawing) continue;
      const element = old ? old[0] : document.createElementNS(SVG, "g");
      element.innerHTML = drawing;
      if (!old) {
        element.dataset.part = name;
        this.layers[name.split("/")[0]].append(element);
      }
      this.shown.set(name, [element, drawing]);
    }
  }
}

function fill(select, options) { // of [value, words]
  select.replaceChildren(...options.map(([value, words]) => new Option(words, value)));
}

function turnOver(select) {
  select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
  select.dispatchEvent(new Event("change"));
}

function signed(rewards) {
  return Object.entries(rewards).map(([agent, r]) => `${agent} ${r > 0 ? "+" : ""}${r}`).join(", ");
}

function changeTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

byId("theme").addEventListener("click", changeTheme);
