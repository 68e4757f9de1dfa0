// SPDX-License-Identifier: BSD-3-Clause
//
// Search works on pages that are read from the disk, too: browsers start no worker from there, so a hidden frame stands in
// for it. It loads the worker's script; what the script posts comes out here, and what is posted here goes in.
if (location.protocol === "file:") {
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(address) {
      super();
      this.waiting = []; // messages before the script is there
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = `<script>
        postMessage = data => parent.dispatchEvent(new MessageEvent("iframe-worker", { data }));
        importScripts = () => Promise.reject(new Error("no further scripts"));
      </script><script src="${new URL(address, location.href)}"></script>`;
      window.addEventListener("iframe-worker", ({ data }) => this.dispatchEvent(new MessageEvent("message", { data })));
      this.frame.addEventListener("load", () => {
        const early = this.waiting;
        this.waiting = null;
        early.forEach(data => this.postMessage(data));
      });
      document.body ? document.body.append(this.frame)
        : document.addEventListener("DOMContentLoaded", () => document.body.append(this.frame));
    }
    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
