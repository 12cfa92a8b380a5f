// A client in a typed language: every reply must decode into integers, and unused optional keys are sent as nil.
// Usage: go run . ADDRESS
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/vmihailenco/msgpack/v5"
)

// Pointers without omitempty: nil on the wire where they are not set.
type request struct {
	Op      string         `msgpack:"op"`
	ID      uint64         `msgpack:"id"`
	Game    *string        `msgpack:"game"`
	Size    *int32         `msgpack:"size"`
	Options map[string]any `msgpack:"options"`
	Batch   *string        `msgpack:"batch"`
	Seed    *int64         `msgpack:"seed"`
	Free    []uint32       `msgpack:"free"`
}

type tensor struct {
	_msgpack struct{} `msgpack:",as_array"`
	Name     string
	Dtype    string
	Shape    []uint32
	Offset   uint64
}

type reply struct {
	ID    uint64 `msgpack:"id"`
	Error *struct {
		Code    string `msgpack:"code"`
		Message string `msgpack:"message"`
	} `msgpack:"error"`
	Limits  map[string]uint64 `msgpack:"limits"`
	Batch   string            `msgpack:"batch"`
	Tensors []tensor          `msgpack:"tensors"`
}

func fail(step string, err any) {
	fmt.Fprintln(os.Stderr, step+":", err)
	os.Exit(1)
}

func main() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	socket := zmq4.NewDealer(ctx)
	if err := socket.Dial(os.Args[1]); err != nil {
		fail("dial", err)
	}
	ask := func(r request, data ...[]byte) (reply, []byte) {
		header, err := msgpack.Marshal(r)
		if err != nil {
			fail(r.Op, err)
		}
		if err := socket.SendMulti(zmq4.NewMsgFrom(append([][]byte{header}, data...)...)); err != nil {
			fail(r.Op, err)
		}
		answer, err := socket.Recv()
		if err != nil {
			fail(r.Op, err)
		}
		var got reply
		if err := msgpack.Unmarshal(answer.Frames[0], &got); err != nil {
			fail(r.Op+" does not decode", err)
		}
		if got.Error != nil {
			fail(r.Op+" "+got.Error.Code, got.Error.Message)
		}
		if got.ID != r.ID {
			fail(r.Op, fmt.Sprintf("id %d was asked, %d came back", r.ID, got.ID))
		}
		if len(answer.Frames) > 1 {
			return got, answer.Frames[1]
		}
		return got, nil
	}

	hello, _ := ask(request{Op: "hello", ID: 1})
	for _, id := range []uint64{math.MaxUint32, math.MaxUint32 + 1, uint64(time.Now().UnixMicro()), 1<<53 - 1} {
		ask(request{Op: "ping", ID: id})
	}
	game, size, seed := "pocket-stalingrad", int32(2), int64(7)
	made, _ := ask(request{Op: "make", ID: 2, Game: &game, Size: &size})
	_, observed := ask(request{Op: "reset", ID: 3, Batch: &made.Batch, Seed: &seed})
	var mask *tensor
	for i := range made.Tensors {
		if made.Tensors[i].Name == "mask" {
			mask = &made.Tensors[i]
		}
	}
	if mask == nil {
		fail("make", "there is no tensor named mask")
	}
	actions := int(mask.Shape[1])
	act := make([]byte, 4*size)
	for env := 0; env < int(size); env++ {
		for a := 0; a < actions; a++ {
			if observed[int(mask.Offset)+env*actions+a] == 1 {
				binary.LittleEndian.PutUint32(act[4*env:], uint32(a))
				break
			}
		}
	}
	_, stepped := ask(request{Op: "step", ID: 4, Batch: &made.Batch}, act)
	out, _ := json.Marshal(map[string]any{"limits": hello.Limits, "observed": len(observed), "stepped": len(stepped)})
	fmt.Println(string(out))
}
