// go-trafilatura for bench/bench_content.py: paths of pages on stdin, lines of JSON on stdout
// (bench/content_peers.py). The library decodes the bytes and is set as its program sets it: balanced,
// with fallbacks and tables; comments are left out, and so is the search for dates, which its
// documentation leaves to those who want dates. A panic is the error of its page.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"syscall"

	"github.com/markusmobius/go-trafilatura"
)

type row struct {
	Text  string `json:"text"`
	Error string `json:"error,omitempty"`
}

var options = trafilatura.Options{
	EnableFallback:  true,
	ExcludeComments: true,
	HtmlDateMode:    trafilatura.Disabled,
}

func extract(page []byte) (found row) {
	defer func() {
		if reason := recover(); reason != nil {
			found = row{Error: fmt.Sprint("panic: ", reason)}
		}
	}()
	result, err := trafilatura.Extract(bytes.NewReader(page), options)
	if err != nil {
		return row{Error: err.Error()}
	}
	return row{Text: result.ContentText}
}

// processorSeconds is the time of all threads of the process, the collector's among them.
func processorSeconds() float64 {
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	paths := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	spent := 0.0
	for first := true; paths.Scan(); first = false {
		page, err := os.ReadFile(paths.Text())
		must(err)
		if first {
			extract(page) // what is made at first use
		}
		start := processorSeconds()
		found := extract(page)
		spent += processorSeconds() - start
		must(out.Encode(found))
	}
	must(paths.Err())
	must(out.Encode(map[string]float64{"seconds": spent}))
}
