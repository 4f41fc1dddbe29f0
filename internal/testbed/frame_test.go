// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"bytes"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// frameOf is the request as a client sends it, without the size in front.
func frameOf(request kmsg.Request, version int16) []byte {
	request.SetVersion(version)
	return kmsg.NewRequestFormatter(kmsg.FormatterClientID("a-client")).AppendRequest(nil, request, 77)[4:]
}

func TestDecodeRequest(t *testing.T) {
	metadata := kmsg.NewPtrMetadataRequest()
	metadata.Topics = []kmsg.MetadataRequestTopic{{Topic: kmsg.StringPtr("orders")}}
	for _, version := range []int16{1, 8, 9, 12} { // from 9 on the version is flexible: its header has tagged fields
		q, correlation, err := decodeRequest(frameOf(metadata, version))
		if err != nil {
			t.Fatalf("version %d: %v", version, err)
		}
		body := q.Body.(*kmsg.MetadataRequest)
		if q.Key != 3 || q.Version != version || q.ClientID != "a-client" || correlation != 77 || *body.Topics[0].Topic != "orders" {
			t.Errorf("version %d: got %+v, correlation %d, topics %+v", version, q, correlation, body.Topics)
		}
	}
}

func TestDecodeRequestRefusesWhatItCannotRead(t *testing.T) {
	metadata := kmsg.NewPtrMetadataRequest()
	metadata.Topics = []kmsg.MetadataRequestTopic{{Topic: kmsg.StringPtr("orders")}}
	good := frameOf(metadata, 12)
	newer := bytes.Clone(good)
	newer[2], newer[3] = 0x70, 0
	unknown := bytes.Clone(good)
	unknown[0], unknown[1] = 0x70, 0
	tests := map[string]struct {
		frame []byte
		want  string
	}{
		"empty":           {nil, "too short"},
		"half a header":   {good[:9], "too short"},
		"half a name":     {good[:14], "too short"},
		"half a body":     {good[:len(good)-3], "Metadata version 12"},
		"newer version":   {newer, "is not known"},
		"unknown request": {unknown, "is not known"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if _, _, err := decodeRequest(tt.frame); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q in it", err, tt.want)
			}
		})
	}
}

func TestResponsesKeepTheirContent(t *testing.T) {
	tests := map[string]struct {
		request  kmsg.Request
		version  int16
		response kmsg.Response
	}{
		"plain header":  {kmsg.NewPtrMetadataRequest(), 8, &kmsg.MetadataResponse{ControllerID: 2, ClusterID: kmsg.StringPtr("c")}},
		"tagged header": {kmsg.NewPtrMetadataRequest(), 12, &kmsg.MetadataResponse{ControllerID: 2, ClusterID: kmsg.StringPtr("c")}},
		"api versions":  {kmsg.NewPtrApiVersionsRequest(), 3, &kmsg.ApiVersionsResponse{ThrottleMillis: 5}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.request.SetVersion(tt.version)
			frame := encodeResponse(tt.response, tt.request, 77)
			got, err := decodeResponse(frame, tt.request)
			if err != nil {
				t.Fatal(err)
			}
			if again := encodeResponse(got, tt.request, 77); !bytes.Equal(frame, again) {
				t.Errorf("% x became % x", frame, again)
			}
		})
	}
	if _, err := decodeResponse([]byte{0, 0}, kmsg.NewPtrMetadataRequest()); err == nil {
		t.Error("half a header can be read")
	}
}

func TestReadFrameBoundsItsSize(t *testing.T) {
	for _, size := range [][]byte{{0x7f, 0xff, 0xff, 0xff}, {0xff, 0xff, 0xff, 0xff}} {
		if _, err := readFrame(bytes.NewReader(size)); err == nil || !strings.Contains(err.Error(), "a frame of") {
			t.Errorf("size % x: got %v", size, err)
		}
	}
}

// A recorder that cannot read something says so, as a count that misses requests proves nothing.
func TestRecorderReportsWhatItCannotRead(t *testing.T) {
	c := Shared(t)
	r := Record(ignoreErrors{t}, c)
	client, err := (&lazyConn{address: r.Address(1)}).get(true)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	if err := writeFrame(client, []byte("not a request of Kafka's")); err != nil {
		t.Fatal(err)
	}
	if _, err := readFrame(client); err == nil {
		t.Error("it was answered")
	}
	if problems := r.close(); len(problems) != 1 || !strings.Contains(problems[0].Error(), "request to broker 1") {
		t.Errorf("got %v, want one problem", problems)
	}
}

// ignoreErrors is a test whose recorder is expected to complain.
type ignoreErrors struct{ testing.TB }

func (ignoreErrors) Errorf(string, ...any) {}
