// Which page an address shows.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask, key, Refused } from "./frame/api";
import { Frame } from "./frame/frame";
import { useLanguage } from "./frame/speech";
import "./frame/tokens.css";
import "./frame/frame.css";
import "./workshop/workshop.css";
import { usePath } from "./frame/router";
import { TablePage } from "./table/page";
import { saying } from "./table/words";

/** What the server offers to whoever has the author's key. */
interface About {
  folder: string | null;
}

function App() {
  const path = usePath();
  const say = saying(useLanguage());
  const [about, setAbout] = useState<About | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => {
    if (!key) {
      setTrouble("nokey");
      return;
    }
    ask<About>("/api/about").then(setAbout, (error: unknown) =>
      setTrouble(error instanceof Refused ? error.message : "noanswer"),
    );
  }, []);
  if (path.startsWith("/table")) {
    return (
      <Frame path={path} workshop={!!about?.folder}>
        <TablePage path={path} />
      </Frame>
    );
  }
  return (
    <Frame path={path} workshop={!!about?.folder}>
      {about?.folder && <Late folder={about.folder} />}
      {(trouble || (about && !about.folder)) && (
        <div class="notice">
          <h1>{say("nothinghere")}</h1>
          <p>{trouble === "nokey" || trouble === "noanswer" ? say(trouble) : (trouble ?? say("tablesonly"))}</p>
        </div>
      )}
    </Frame>
  );
}

/** The workshop is loaded when it is first shown: its editor is large. */
function Late(given: { folder: string }) {
  const [page, setPage] = useState<typeof import("./workshop") | null>(null);
  useEffect(() => {
    void import("./workshop").then(setPage);
  }, []);
  return page && <page.Workshop folder={given.folder} />;
}

const root = document.getElementById("page");
if (root) render(<App />, root);
